# SPDX-License-Identifier: GPL-2.0-only
"""node_exporter and Prometheus, run by a test: on loopback, on ports that nobody else has."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lsmpmon"
LONGEST = 180


def program(name):
    """The program, as scripts/deps has unpacked it."""
    path = CACHE / "services/usr/bin" / name
    if not path.exists():
        pytest.skip(f"{name} is not there: scripts/deps --tests gets it where there is apt-get")
    return path


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return "127.0.0.1:%d" % found.getsockname()[1]


@contextmanager
def running(name, *words, log):
    with open(log, "wb") as said, \
            subprocess.Popen([program(name), *words], stdout=said, stderr=said) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def node_exporter(folder):
    """Run one that exports only the files in a folder, nothing of this machine; yields its address."""
    address = free_address()
    with running("prometheus-node-exporter", "--collector.disable-defaults",
                 "--collector.textfile", f"--collector.textfile.directory={folder}",
                 f"--web.listen-address={address}", log=folder / "log"):
        yield address


class Prometheus:
    def __init__(self, address, log):
        self.address, self.log = address, log

    def ask(self, what, **parameters):
        url = f"http://{self.address}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]

    def query(self, expression):
        """Values by labels, which are (name, value) in order."""
        return {tuple(sorted(one["metric"].items())): float(one["value"][1])
                for one in self.ask("query", query=expression)["result"]}

    def wait(self, expression):
        """Ask until there is an answer."""
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
    """Run it with the configuration in a folder, and its data there."""
    address, log = free_address(), folder / "log"
    with running("prometheus", f"--config.file={folder}/prometheus.yml",
                 f"--storage.tsdb.path={folder}/data", f"--web.listen-address={address}",
                 "--log.level=warn", log=log):
        yield Prometheus(address, log)
