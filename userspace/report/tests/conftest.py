# SPDX-License-Identifier: GPL-2.0-only
"""Small saved results to read."""


import pytest

INFO = """\
version: 0.1
abi: 1
clock: tsc
clock_khz: 2000000
overhead: 40
overhead_min: 38
lost: 0
modules: lsmpmon,capability,{module}
"""


def write_file(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def write():
    """Return write(path, text), which makes folders, too."""
    return write_file


@pytest.fixture
def save(tmp_path):
    """Return save(module, [{hook: (min, ave, count)}, ...], **about), which saves a run, one dict a repetition."""

    def save_run(module, repetitions, **about):
        directory = tmp_path / module
        for number, hooks in enumerate(repetitions, 1):
            lines = ["hook min max ave count cs_count", "bpf"]
            lines += [f"{hook} {low} {ave * 9} {ave} {count} 0" for hook, (low, ave, count) in hooks.items()]
            write_file(directory / str(number) / "result", "\n".join(lines) + "\n")
        write_file(directory / "info", INFO.format(module=module))
        entries = {"module": module, "runner": "uml", "accel": "none", "kernel": "6.12.1", "policy": "own"} | about
        write_file(directory / "about", "".join(f"{key}: {value}\n" for key, value in entries.items()))
        return directory

    return save_run


@pytest.fixture
def results(tmp_path):
    return tmp_path / "results"


@pytest.fixture
def made(results):
    """Return made(), which makes the report of what is in results."""
    from evaluation_results import Report

    return lambda: Report(results)


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """Return the report of all that write_all() writes."""
    from evaluation_results import Report, write_all

    results = tmp_path_factory.mktemp("all") / "results"
    write_all(results)
    return Report(results)
