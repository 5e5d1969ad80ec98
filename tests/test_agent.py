# SPDX-License-Identifier: GPL-2.0-only
"""The systemd units and the DaemonSet of userspace/fleet do what they say, in a guest."""

import re
import shlex
import shutil
import subprocess

import pytest
import yaml
from guests import LSMMON, output
from kernels import REPO, environment

FLEET = REPO / "userspace/fleet"
UNITS = ("lsmpmon.service", "lsmpmon-export.service", "lsmpmon-export.timer")


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    """Install the tools, and return the folder of the units."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run(["make", "-s", "install", f"PREFIX={folder}"], cwd=REPO, check=True, capture_output=True, env=environment())
    return folder / "lib/systemd/system"


def test_systemd_has_nothing_to_say(units):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    assert {path.name for path in units.iterdir()} == set(UNITS)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *(units / name for name in UNITS)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_systemd_finds_a_wrong_key(units, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    wrong = tmp_path / UNITS[1]
    wrong.write_text((units / UNITS[1]).read_text().replace("Nice=", "Nicer="))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", wrong], capture_output=True, text=True)
    assert "Nicer" in done.stderr


def commands(units):
    """Return the commands of the units as systemd would run them, without a file in /etc/default."""
    text = "".join((units / name).read_text() for name in UNITS[:2])
    values = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.M))
    words = dict(re.findall(r"^(?:# )?(ExecStart|ExecStop)=\S+/(lsmpmon .*)$", (units / UNITS[0]).read_text(), re.M))
    words["export"] = re.search(r"^ExecStart=\S+/(lsmpmon .*)$", (units / UNITS[1]).read_text(), re.M)[1]
    return {name: re.sub(r"\s*\$\{?(\w+)\}?", lambda match: f" {values.get(match[1], '')}", text).strip() for name, text in words.items()}


def test_the_units_measure_and_export(units):
    """The metrics belong to the group of their directory, and others cannot read them."""
    run = commands(units)
    place = re.search(r"-o (\S+)", run["export"])[1]
    assert place == "/var/lib/prometheus/node-exporter/lsmpmon.prom"
    shown = output(f"""mkdir -m 2750 /tmp/collector && chgrp 65534 /tmp/collector || exit
        {run["ExecStart"]} >&2 && cat {LSMMON}/control && grep -E 'histogram|module|timed' {LSMMON}/features || exit
        {run["export"].replace(place, "/tmp/collector/lsmpmon.prom")} || exit
        stat -c '%a %g' /tmp/collector/*; grep -c _bucket /tmp/collector/lsmpmon.prom
        {run["ExecStop"]} >&2 && cat {LSMMON}/control""", RUNNER="uml", LSM="apparmor").splitlines()
    assert shown[:5] == ["1", "module 1", "histogram 1", "timed 64", "640 65534"]
    assert int(shown[5]) > 100 and shown[6:] == ["0"]


def test_the_daemonset_measures_until_it_is_ended(tmp_path):
    """The script runs with a shorter minute; what it writes has cgroups, and nothing is left when the pod goes."""
    (document,) = yaml.safe_load_all((FLEET / "daemonset.yaml").read_text())
    (container,) = document["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["sh", "-c"] and container["securityContext"]["privileged"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts == {"securityfs": "/sys/kernel/security", "textfile": "/textfile"}
    (text,) = container["args"]
    script = text.replace("sleep 60", "sleep 0.2").replace("/textfile", "/tmp/textfile")
    assert script.count("/tmp/textfile") == 2 and "sleep 0.2" in script
    values = " ".join(f"{one['name']}={shlex.quote(one['value'])}" for one in container["env"])
    shown = output(f"""mkdir /tmp/textfile; {values} sh -c {shlex.quote(script)} >&2 & agent=$!
        until [ -e /tmp/textfile/lsmpmon.prom ]; do sleep 0.1; done; first=$(stat -c %i /tmp/textfile/lsmpmon.prom)
        while [ "$(stat -c %i /tmp/textfile/lsmpmon.prom)" = "$first" ]; do sleep 0.1; done
        grep -c '^lsmpmon_cgroup_hook_seconds_sum' /tmp/textfile/lsmpmon.prom; cat {LSMMON}/control
        kill $agent; wait $agent; ls -A /tmp/textfile; cat {LSMMON}/control""", RUNNER="uml", LSM="apparmor").splitlines()
    assert int(shown[0]) >= 4 and shown[1:] == ["1", "0"]
