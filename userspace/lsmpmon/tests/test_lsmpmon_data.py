# SPDX-License-Identifier: GPL-2.0-only
"""Tests of records whose tables are data: what writes them and what reads them, and that nothing is lost on the way."""

import json

import fastjsonschema
import made
import pandas
import pytest
from recorded import HERE, RECORDS, Record

from lsmpmon_report.kernelfiles import NAMES, files_of, parse_table

VALID = fastjsonschema.compile(json.loads((HERE.parent / "schema/record.json").read_text()))
TEXTS = ("control", "filter", "session")
EVERYTHING = sorted({*RECORDS, made.PATH})


def as_data(run):
    """Return a run of the first version as one of the second, made without the program or its parser."""
    tables, keys, files = {}, {}, {}
    for name, text in run["files"].items():
        lines = text.splitlines()
        if name in ("info", "features"):
            pairs = (line.split(": " if name == "info" else " ", 1) for line in lines)
            keys[name] = {key: int(value) if value.isdigit() else value.lstrip() for key, value in pairs}
        elif name in TEXTS:
            files[name] = text
        else:
            header, *rows = (line.split() for line in lines)
            tables[name] = {column: [cell(column, row[place]) if place < len(row) else None for row in rows]
                            for place, column in enumerate(header)}
    return {**run, "tables": tables, "keys": keys, "files": files}


def cell(column, word):
    return int(word) if word.isdigit() and column not in NAMES else word


def words(text):
    return [line.split() for line in text.splitlines() if line.strip()]


@pytest.fixture(params=EVERYTHING, ids=lambda path: path.stem)
def both(request, tmp_path):
    """Return a record with text, and the same with data."""
    content = json.loads(request.param.read_text())
    data = {**content, "version": 2, "runs": [as_data(run) for run in content["runs"]]}
    path = tmp_path / request.param.name
    path.write_text(json.dumps(VALID(data)))
    return request.param, path


def test_data_is_read_as_text_is(lsmpmon, both):
    for command in (("report", "-q"), ("hist", "inode_permission"), ("syscalls",), ("export", "-i"), ("status", "-i")):
        text, data = (lsmpmon(*command, path) for path in both)
        assert (data.returncode, data.stdout) == (text.returncode, text.stdout.replace(str(both[0]), str(both[1])))
        assert text.returncode == 2 or text.stdout


def test_python_reads_data_as_text(both):
    for old, new in zip(json.loads(both[0].read_text())["runs"], json.loads(both[1].read_text())["runs"]):
        assert {name: words(text) for name, text in files_of(new).items()} == \
            {name: words(text) for name, text in old["files"].items()}


@pytest.fixture(params=EVERYTHING, ids=lambda path: path.stem)
def written(request, lsmpmon, tmp_path):
    """Return what record writes of a copy of the monitor's files, and these."""
    directory, path = tmp_path / "lsmmon", tmp_path / "r.json"
    directory.mkdir()
    files = {**Record(request.param).files, "control": "0\n"}
    files.pop("session", None)
    for name, text in {**files, "reset": ""}.items():
        (directory / name).write_text(text)
    lsmpmon("record", "-d", directory, "-o", path, "-f", "none", "--", "true")
    return json.loads(path.read_text()), files


def test_record_writes_every_word_of_the_monitor(written):
    """All but the files that record itself writes to are as they were."""
    content, files = written
    (run,) = VALID(content)["runs"]
    assert content["version"] == 2 and "verdicts" in run["tables"] and isinstance(run["keys"]["info"]["clock_khz"], int)
    found = files_of(run)
    assert found.keys() == files.keys() | {"reset"}
    for name in files.keys() - {"control", "features", "filter"}:
        assert words(found[name]) == words(files[name]), name


def test_a_data_frame_takes_a_table_as_it_is(written):
    """Numbers are numbers, and their sums are those that a parser of the text finds."""
    content, files = written
    frame = pandas.DataFrame(content["runs"][0]["tables"]["verdicts"])
    rows = parse_table(files["verdicts"])
    for column in ("count", "cs_count", "sum"):
        assert pandas.api.types.is_integer_dtype(frame[column])
        assert frame[column].sum() == sum(row[column] for row in rows)
    assert frame.groupby("hook")["count"].sum().to_dict()["inode_permission"] == \
        sum(row["count"] for row in rows if row["hook"] == "inode_permission")


def test_names_of_digits_stay_names(lsmpmon, tmp_path):
    """A command may be called 257, and a time may be unknown among times that are known."""
    for name, text in {**Record(RECORDS[0]).files, "control": "0\n", "reset": ""}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "comms").write_text("comm hook min max ave count cs_count sum\n257 capable 1 1 1 1 0 1\n007 capable 1 1 1 1 0 1\n")
    (tmp_path / "slowest").write_text("hook wall own\ncapable 20 7\ncapable 20 -\n")
    (tmp_path / "tasks").write_text("pid tid comm syscall hook count\n70 71 tar read capable 1\n")
    lsmpmon("record", "-d", tmp_path, "-o", tmp_path / "r.json", "-f", "none", "--", "true")
    tables = json.loads((tmp_path / "r.json").read_text())["runs"][0]["tables"]
    assert tables["comms"]["comm"] == ["257", "007"] and tables["comms"]["count"] == [1, 1]
    assert tables["slowest"]["own"] == [7, "-"]
    assert (tables["tasks"]["pid"], tables["tasks"]["tid"]) == (["70"], ["71"])


@pytest.mark.parametrize("change, what", [
    ({"tables": {"verdicts": {"hook": ["a"], "count": []}}}, "columns of the same length"),
    ({"tables": {"verdicts": {"hook": [None], "count": [1]}}}, "without gaps"),
    ({"tables": {"verdicts": {"hook": ["a b"], "count": [1]}}}, "columns"),
    ({"tables": {"verdicts": {"hook": ["a\nb"]}}}, "columns"),
    ({"tables": {"verdicts": {"a hook": ["a"]}}}, "columns"),
    ({"tables": {"verdicts": {"hook": "a"}}}, "columns"),
    ({"tables": {"verdicts": {"hook": [["a"]], "count": [1.5]}}}, "columns"),
    ({"tables": {"verdicts": {"hook": ["a"], "count": [-1]}}}, "columns"),
    ({"tables": {"verdicts": {}}}, "columns"),
    ({"tables": {"verdicts": 1}}, "columns"),
    ({"tables": []}, '"tables"'),
    ({"keys": {"info": {"clock": []}}}, '"keys"'),
    ({"keys": {"novel": {"clock": 1}}}, '"keys"'),
    ({"keys": 1}, '"keys"'),
])
def test_hostile_data_is_refused_in_one_line(lsmpmon, tmp_path, change, what):
    run = {**as_data(json.loads(RECORDS[0].read_text())["runs"][0]), **change}
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"format": "lsmpmon-record", "version": 2, "runs": [run]}))
    done = lsmpmon("report", path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and what in done.stderr and not done.stdout
