# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make exec on both runners: bytes, statuses, working directories, and guests that end badly."""

import contextlib
import functools
import hashlib
import os
import pty
import select
import shutil
import signal
import subprocess
import termios
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from guests import GUESTS, flavour_of
from kernels import CLEAN, REPO, pristine

from lsmlab.guest import log, uml
from lsmlab.guest.session import Channels, Died, InitrdSession, Session, Spool, TimedOut

TIMED_OUT, DIED, BAD = 124, 125, 2
# Seconds after which something will not happen any more, however busy the machine is. Commands that would hold a
# guest sleep longer than that.
PATIENCE = 900
# A word on the command line of every guest of this run.
MARK = f"lsmpmon_test.run={os.getpid()}"


def execute(cmd, **variables):
    """Call scripts/exec without make, which would change its status."""
    env = dict(CLEAN, TIMEOUT=str(PATIENCE), CMD=cmd)
    env.update({name: str(value) for name, value in variables.items()})
    env["KARGS"] = f"{env.get('KARGS', '')} {MARK}"
    return subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True,
                          stdin=subprocess.DEVNULL)


def make_exec(cmd, *words):
    return subprocess.run([b"make", b"exec", b"TIMEOUT=%d" % PATIENCE, b"CMD=" + cmd,
                           *(os.fsencode(word) for word in words)],
                          cwd=REPO, env=CLEAN, capture_output=True, stdin=subprocess.DEVNULL)


@pytest.fixture(params=["uml", "qemu"])
def runner(request):
    return request.param


def guests_alive():
    alive = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            alive += [path] if MARK.encode() in path.read_bytes() else []
    return alive


def assert_none_alive():
    """Check that no guest is left. A killed process may need a moment to disappear on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while guests_alive() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not guests_alive()


def test_output_alone_and_success(runner):
    done = make_exec(b"echo out; echo err >&2", f"RUNNER={runner}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"out\n", b"err\n")


def test_make_has_a_status_of_its_own():
    """The statuses are those that Documentation/howto/guests.md names."""
    done = make_exec(b"exit 7", "RUNNER=uml")
    assert done.returncode == 2 and b"Error 7" in done.stderr
    text = (REPO / "Documentation/howto/guests.md").read_text()
    (command,) = [line.partition("#")[0].strip() for line in text.splitlines() if line.startswith("    CMD='exit 7'")]
    done = subprocess.run(["sh", "-c", command], cwd=REPO, env=dict(CLEAN, RUNNER="uml"), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    assert done.stdout == "7\n", done.stderr


@pytest.mark.parametrize("status", [0, 1, 2, 77, 255])
def test_exit_status(status):
    done = execute(f"exit {status}", RUNNER="uml")
    assert (done.returncode, done.stdout) == (status, b"")


@pytest.mark.once
def test_failure_is_makes_failure(runner):
    done = make_exec(b"exit 3", f"RUNNER={runner}")
    assert done.returncode == 2 and done.stdout == b""


TEXTS = [
    b"'single' \"double\" \\back\\\\slash",
    b"$HOME $$ $(id) `id` ${x}",
    b"# no comment; no end & | > <",
    b"\xff\xfe \xc3\xa9 \x01\x7f",
    b"two\nlines\n\n",
    b"a,b:c=d %s !",
]


@functools.cache
def returned():
    """Return each text quoted in a here-document, and the guest's output; one boot serves all."""
    return make_exec(b"".join(b"echo @@\ncat <<'END'\n" + text + b"\nEND\n" for text in TEXTS))


@pytest.mark.parametrize("text", TEXTS)
def test_command_arrives_byte_for_byte(text):
    done = returned()
    assert dict(zip(TEXTS, done.stdout.split(b"@@\n")[1:])).get(text) == text + b"\n", done.stderr


def test_dollar_is_the_shells():
    assert make_exec(b"x=5; echo $x $((x + 1)) $(echo sub)").stdout == b"5 6 sub\n"


def test_output_is_binary_clean_and_whole(runner):
    """Output has every byte value, line ends as they are, and is larger than any buffer."""
    cmd = """i=0; while [ $i -lt 256 ]; do printf "\\\\$(printf %03o $i)"; i=$((i + 1)); done
             seq 400000; printf '\\r\\n\\r'"""
    expected = bytes(range(256)) + b"".join(b"%d\n" % n for n in range(1, 400001)) + b"\r\n\r"
    done = execute(cmd, RUNNER=runner)
    assert done.returncode == 0, done.stderr
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(expected).digest()


@pytest.mark.once
def test_slow_reader_loses_nothing(runner):
    cmd = f"{REPO}/scripts/exec 'seq 300000' | (sleep 4; sha256sum)"
    done = subprocess.run(cmd, shell=True, env=dict(CLEAN, RUNNER=runner), capture_output=True)
    expected = hashlib.sha256(b"".join(b"%d\n" % n for n in range(1, 300001))).hexdigest()
    assert done.stdout.split()[0].decode() == expected


def test_output_streams(runner, tmp_path):
    """The guest goes on only when its first line has been read."""
    env = dict(CLEAN, RUNNER=runner, SHARE=tmp_path,
               CMD=f"echo first; until [ -e {tmp_path}/read ]; do sleep 0.1; done; echo last")
    with subprocess.Popen([REPO / "scripts/exec"], env=env, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"first\n"
        (tmp_path / "read").touch()
        assert process.stdout.read() == b"last\n"


@pytest.mark.once
def test_reader_that_goes_away_ends_it(runner):
    done = subprocess.run(f"{REPO}/scripts/exec yes | head -n 1", shell=True, timeout=PATIENCE,
                          env=dict(CLEAN, RUNNER=runner), capture_output=True)
    assert done.stdout == b"y\n"


@pytest.mark.once
def test_what_the_command_leaves_running_does_not_hold(runner):
    done = execute("sleep 10000 & setsid sleep 10000 & echo done", RUNNER=runner)
    assert (done.returncode, done.stdout) == (0, b"done\n")


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_places_to_work_in(kver, runner):
    pristine(kver)
    cmd = f"""set -e
        test "$REPO" = '{REPO}'; test "$PWD" = "$REPO"; test -f "$REPO/Makefile"
        ! touch "$REPO/x" 2>/dev/null
        case $PATH in "$REPO/build/bin:"*) ;; *) exit 9 ;; esac
        for place in /tmp /run /var/tmp /dev/shm "$EXT4"; do echo x >"$place/x"; done
        for place in /tmp "$EXT4"; do setfattr -n security.x -v y "$place/x"; done
        for kind in securityfs tracefs debugfs mqueue devpts proc sysfs ext4; do
            grep -q " $kind " /proc/mounts
        done
        ip -o link show lo | grep -q ,UP
        test "$(id -u)" = 0
        echo "$RUNNER $KVER $FLAVOUR"; uname -r"""
    kind = flavour_of(kver, runner)
    done = execute(cmd, KVER=kver, RUNNER=runner, FLAVOUR=kind)
    assert done.returncode == 0, done.stderr
    first, release = done.stdout.decode().splitlines()
    assert first == f"{runner} {kver} {kind}" and release.startswith(f"{kver}.")


@pytest.mark.once
def test_host_without_busybox(runner, tmp_path):
    """The guest's init then starts the host's own programs."""
    names = {path.name for folder in os.environ["PATH"].split(":") for path in Path(folder).glob("*")}
    for path in filter(None, map(shutil.which, names - {"busybox"})):
        (tmp_path / Path(path).name).symlink_to(path)
    done = execute("cat /proc/self/mounts; ls /run/host", RUNNER=runner, PATH=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"/run/ext4 ext4" in done.stdout and b"usr" in done.stdout.split()


def test_share_is_written_on_the_host(runner, tmp_path):
    (tmp_path / "in").write_text("from the host")
    done = execute('cat "$SHARE/in"; echo from the guest >"$SHARE/out"', RUNNER=runner,
                   SHARE=tmp_path)
    assert done.stdout == b"from the host", done.stderr
    assert (tmp_path / "out").read_text() == "from the guest\n"


def test_lsm_order_and_kernel_arguments(runner):
    done = execute("cat /sys/kernel/security/lsm; echo; cat /proc/cmdline", RUNNER=runner,
                   LSM="tomoyo,landlock", KARGS="audit=1 some.thing=x")
    lsms, line = done.stdout.decode().splitlines()
    assert lsms.startswith("capability,tomoyo,landlock")
    assert "audit=1 some.thing=x" in line and "panic_on_warn=1" in line


@pytest.mark.once
def test_module_that_is_not_there(runner):
    done = execute("echo ran", RUNNER=runner, LSM="landlock,bogus")
    assert done.returncode == BAD and done.stdout == b""
    assert b"bogus" in done.stderr and b"landlock,ima" in done.stderr


@pytest.mark.parametrize("option, cpus, several", [("CONFIG_SMP=y", 4, True), ("CONFIG_SMP=y", 1, False), ("# no SMP", 4, False)])
def test_processors_of_user_mode_linux(tmp_path, monkeypatch, option, cpus, several):
    """A guest has one processor for itself, unless the kernel can have more."""
    monkeypatch.setattr(uml, "one_cpu", lambda: "1")
    (tmp_path / "config").write_text(f"CONFIG_UML=y\n{option}\n")
    words = uml.processors(SimpleNamespace(cpus=cpus), tmp_path)
    assert (words[0] == "taskset") == (not several)
    assert (words[-2:] == [f"ncpus={cpus}", "seccomp=on"]) == several


@pytest.mark.parametrize("variable, value, accepted", [
    ("RUNNER", "vmware", "uml qemu"),
    ("FLAVOUR", "sweet", "patched lids monitor unpatched lsm btf bpf dac debug kcsan rt asis"),
    ("KVER", "2.6", "6.12"),
    ("ACCEL", "warp", "kvm tcg icount"),
    ("ACCEL", "kvm", "RUNNER=qemu"),
    ("CPU", "max -erms", "-cpu"),
    ("CPU", "max", "RUNNER=qemu"),
    ("LLVM", "yes", "-19"),
    ("LLVM", "-19", "RUNNER=qemu"),
    ("CPUS", "0", "1 to"),
    ("CPUS", "many", "1 to"),
    ("TIMEOUT", "-1", "1 to"),
    ("LSM", "a b;c", "names"),
    ("SHARE", "/nonexistent", "not a directory"),
    ("INITRD", "/nonexistent", "not a file"),
    ("CONFIG", "/nonexistent", "not a file"),
    ("CMD", "", "empty"),
])
def test_values_that_are_not_accepted(variable, value, accepted):
    done = execute("true", **{variable: value}) if variable != "CMD" else execute("")
    assert done.returncode == BAD and done.stdout == b""
    assert variable in done.stderr.decode() and accepted in done.stderr.decode()
    assert value in done.stderr.decode()


def bad_end(done, status, *words):
    text = done.stderr.decode(errors="replace")
    assert done.returncode == status, text
    for word in words:
        assert word in text
    assert_none_alive()


def test_panic(runner):
    """An exhausted memory is made fatal here: a panic on either runner."""
    cmd = """echo before; echo 2 >/proc/sys/vm/panic_on_oom; mkdir /run/big
        mount -t tmpfs -o size=8g big /run/big; cat /dev/zero >/run/big/x"""
    done = execute(cmd, RUNNER=runner)
    bad_end(done, DIED, "Kernel panic", "ut of memory")
    assert done.stdout == b"before\n"


@pytest.mark.once
def test_hang(runner):
    """The time is enough for the guest to start its command."""
    for seconds in (10, 40, 160, PATIENCE):
        done = execute("echo before; sleep 10000", RUNNER=runner, TIMEOUT=seconds)
        if done.stdout:
            break
    bad_end(done, TIMED_OUT, f"{seconds} s", "Run /")
    assert done.stdout == b"before\n"


@pytest.mark.once
def test_kernel_that_cannot_boot(runner):
    bad_end(execute("true", RUNNER=runner, KARGS="init=/nonexistent"), DIED, "/nonexistent")


def test_guest_that_disappears(runner):
    bad_end(execute("busybox reboot -f", RUNNER=runner), DIED, "reported no status")


def test_log_that_another_guest_removes(tmp_path, monkeypatch):
    """Guests tidy up at the same time, so a log may be removed after its name was read: here it is a link that
    leads nowhere.
    """
    monkeypatch.setattr(log, "DIRECTORY", tmp_path)
    monkeypatch.setattr(log, "KEPT", 1)
    for name in ("uml-1.log", "uml-2.log"):
        (tmp_path / name).symlink_to("gone")
    (tmp_path / "uml-3.log").touch()
    log.new("uml")
    assert [path.name for path in tmp_path.iterdir()] == ["uml-3.log"]


def test_interrupted_exec_leaves_nothing(runner):
    env = dict(CLEAN, RUNNER=runner, CMD="echo up; sleep 10000", KARGS=MARK)
    with subprocess.Popen([REPO / "scripts/exec"], env=env, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert_none_alive()


def test_shell_on_a_terminal(runner):
    """The size of our terminal and Ctrl-C reach the guest's shell, and its status reaches us."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (33, 99))
    process = subprocess.Popen([REPO / "scripts/exec", "--shell"], stdin=theirs, stdout=theirs,
                               env=dict(CLEAN, RUNNER=runner, KARGS=MARK), stderr=theirs)
    os.close(theirs)
    try:
        read_until(ours, b"# ")
        os.write(ours, b"stty size; sleep 10000\n")
        read_until(ours, b"33 99")
        # The key may arrive before the guest is asleep.
        read_until(ours, b"# ", again=b"\x03")
        os.write(ours, b"exit 5\n")
        read_until(ours, b"exit 5")
        assert process.wait(PATIENCE) == 5
    finally:
        process.terminate()
        process.wait(PATIENCE)


def read_until(terminal, token, again=b""):
    """Return what a terminal shows up to a token; keys are pressed while it is silent."""
    seen, deadline = b"", time.monotonic() + PATIENCE
    os.write(terminal, again)
    while token not in seen:
        assert time.monotonic() < deadline, f"no {token} in {seen}"
        if select.select([terminal], [], [], 5)[0]:
            seen += os.read(terminal, 4096)
        else:
            os.write(terminal, again)
    return seen


def test_shell_without_a_terminal():
    done = subprocess.run([REPO / "scripts/exec", "--shell"], env=CLEAN, capture_output=True,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == BAD and b"terminal" in done.stderr


def initrd(folder, script):
    (folder / "script").write_text(script)
    subprocess.run([REPO / "lab/shell/make-initrd", folder / "initrd", folder / "script"], check=True)
    return folder / "initrd"


def built_kernel(runner):
    return subprocess.run([REPO / "lab/shell/build-kernel"], env=dict(CLEAN, RUNNER=runner),
                          stdout=subprocess.PIPE, check=True).stdout


def test_initrd_output_and_status(tmp_path):
    script = "printf '\\001\\004\\r\\nx\\0044\\n\\377'; exit 42"
    done = execute("", RUNNER="qemu", ACCEL="icount", INITRD=initrd(tmp_path, script))
    assert (done.returncode, done.stdout) == (42, b"\x01\x04\r\nx\x044\n\xff"), done.stderr


def test_initrd_end_is_what_nothing_follows(tmp_path, capfdbinary):
    """EOT and a number are not the end while more follows, however the serial line's bytes are cut."""
    channels = Spool(tmp_path / "log", tmp_path / "stdout")
    pieces = ["\\004", "4", "\\n", "more\\0044\\n", "\\0042\\n"]
    script = "; sleep 0.1; ".join(f"printf '{piece}' >&{channels.write['stdout']}" for piece in pieces)
    session = InitrdSession(["bash", "-c", script], None, channels, False)
    assert session.wait(PATIENCE) == 2
    session.kill()
    assert capfdbinary.readouterr().out == b"\x044\nmore\x044\n"


def test_initrd_guest_waits_for_no_reader(tmp_path, capfdbinary):
    """The output is more than a pipe holds: the guest ends before anybody reads it."""
    channels = Spool(tmp_path / "log", tmp_path / "stdout")
    script = f"exec >&{channels.write['stdout']}; head -c 4000000 /dev/zero; printf '\\0047\\n'"
    session = InitrdSession(["bash", "-c", script], None, channels, False)
    assert session.process.wait(PATIENCE) == 0
    assert session.wait(PATIENCE) == 7
    assert capfdbinary.readouterr().out == bytes(4000000)


def test_initrd_guest_that_says_no_status(tmp_path, capfdbinary):
    channels = Spool(tmp_path / "log", tmp_path / "stdout")
    session = InitrdSession(["bash", "-c", f"echo so far >&{channels.write['stdout']}; exit 3"], None, channels, False)
    with pytest.raises(Died, match=r"\b3\b.* no status"):
        session.wait(PATIENCE)
    assert capfdbinary.readouterr().out == b"so far\n"


def test_initrd_guest_without_end(tmp_path):
    channels = Spool(tmp_path / "log", tmp_path / "stdout")
    session = InitrdSession(["sleep", "60"], None, channels, False)
    with pytest.raises(TimedOut, match="in 1 s"):
        session.wait(1)
    session.kill()


def test_a_guest_is_stopped_while_its_processes_end(tmp_path, monkeypatch):
    """User-Mode Linux notices when one of them ends, even if it is to be killed next; and they would outlive it."""
    channels, states, kill = Channels(tmp_path / "log"), [], os.killpg

    def killpg(group, number):
        states.append(Path(f"/proc/{group}/stat").read_text().rpartition(")")[2].split()[0])
        kill(group, number)

    monkeypatch.setattr(os, "killpg", killpg)
    session = Session(["bash", "-c", f"sleep {PATIENCE} & wait; echo fault >&{channels.write['log']}"], None, channels, False)
    session.kill()
    assert states == ["T"] and (tmp_path / "log").read_bytes() == b""


def test_initrd_is_reproducible(tmp_path):
    first = initrd(tmp_path, "exit 0\n").read_bytes()
    time.sleep(1.1)
    assert initrd(tmp_path, "exit 0\n").read_bytes() == first


@pytest.mark.full
def test_exact_mode_is_exact(tmp_path):
    """Two boots agree to the instruction: the clock is one of those."""
    script = "cat /proc/uptime /proc/interrupts; dmesg | tail -n 5\n"
    image = initrd(tmp_path, script)
    runs, kernels = [], [1, 2]
    # If somebody edits sources meanwhile, the two boots are of different kernels.
    while kernels[0] != kernels[1]:
        kernels = [built_kernel("qemu")]
        runs = [execute("", RUNNER="qemu", ACCEL="icount", INITRD=image) for _ in range(2)]
        kernels.append(built_kernel("qemu"))
    assert runs[0].returncode == 0, runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
