# SPDX-License-Identifier: GPL-2.0-only
"""node_exporter and Prometheus, run by a test: on loopback, on ports that the system finds."""

import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"
# Seconds after which a server will not answer any more, however busy the machine is.
LONGEST = 900
ANY = "127.0.0.1:0"
LISTENS = re.compile(r'msg="Listening on".* address=(\S+)')


def program(name):
    """Return the program that scripts/deps has unpacked."""
    path = CACHE / "services/usr/bin" / name
    if not path.exists():
        pytest.skip(f"{name} is not there: scripts/deps --tests gets it where there is apt-get")
    return path


def address_of(process, log):
    """Return the address of a server that takes any free port and prints which."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until and process.poll() is None:
        match = LISTENS.search(log.read_text())
        if match:
            return match[1]
        time.sleep(0.1)
    pytest.fail(f"listens nowhere: {log.read_text()}")


@contextmanager
def running(name, *words, log):
    with open(log, "wb") as output, \
            subprocess.Popen([program(name), *words], stdout=output, stderr=output) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def node_exporter(folder):
    """Run a node_exporter that exports only the files in a folder, and nothing of this machine; yield its address."""
    log = folder / "log"
    with running("prometheus-node-exporter", "--collector.disable-defaults",
                 "--collector.textfile", f"--collector.textfile.directory={folder}",
                 f"--web.listen-address={ANY}", log=log) as process:
        yield address_of(process, log)


class Prometheus:
    def __init__(self, address, log):
        self.address, self.log, self.at = address, log, None

    def stay(self, rule):
        """Answer all later queries as of the next evaluation of a rule, so that they are about the same five minutes.

        What the last one was waited for may have come while its rules were evaluated.
        """
        self.wait(f"max(timestamp({rule})) > {time.time()}")
        self.at = max(self.query(f"timestamp({rule})").values())

    def ask(self, what, **parameters):
        url = f"http://{self.address}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]

    def query(self, expression):
        """Return values by labels, which are (name, value) in order."""
        return {tuple(sorted(one["metric"].items())): float(one["value"][1])
                for one in self.ask("query", query=expression, **({"time": self.at} if self.at else {}))["result"]}

    def wait(self, expression):
        """Repeat a query until it has an answer."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            try:
                if self.query(expression):
                    return
            except urllib.error.URLError:
                pass
            time.sleep(0.5)
        pytest.fail(f"no answer in {LONGEST} s: {expression}\n{self.log.read_text()}")


@contextmanager
def prometheus(folder):
    """Run Prometheus with the configuration in a folder, and its data there."""
    log = folder / "log"
    with running("prometheus", f"--config.file={folder}/prometheus.yml",
                 f"--storage.tsdb.path={folder}/data", f"--web.listen-address={ANY}", log=log) as process:
        yield Prometheus(address_of(process, log), log)
