# ruff: noqa: E501 - the attacks are tables
"""Attacks as data: what a bot does in the middle of a match, and what it is blamed for under every backend."""

from sandbox.contract.bots import PRELUDE
from tests.sandbox.aftermath import Attack
from tests.sandbox.bots import HASTY

SILENT = (("timeout", "no reply in time"),) * 3
LONG = (("output", "a line longer than 64 KiB"),)
FLOOD = (("output", "more than 256 KiB without a valid reply"),)
MEMORY = (("memory", "used more than 128 MiB of memory"),)


def _crash(how):
    return (("crash", how),)


def _garbage(*why):
    return tuple(("garbage", detail) for detail in why)


def _invalid(*why):
    return tuple(("invalid", detail) for detail in why)


#: Tried from every seat.
ENDS = (
    Attack("raises", "raise ValueError('my secret plan')", _crash("ended with exit code 1")),
    Attack("never answers", "time.sleep(60)", SILENT, HASTY),
)
#: Takes the seat.
VACATED = (
    Attack("exits with 0", "os._exit(0)", _crash("ended with exit code 0")),
    Attack("kills itself", "os.kill(os.getpid(), signal.SIGKILL)", _crash("ended by signal 9 (SIGKILL)")),
    Attack(
        "kills its init and its group",
        "os.kill(1, signal.SIGKILL); os.kill(0, signal.SIGKILL)",
        _crash("ended by signal 9 (SIGKILL)"),
    ),
    Attack("ends as if by our hand", "os._exit(137)", _crash("ended by signal 9 (SIGKILL)")),
    Attack("ends as if it had not begun", "os._exit(125)", _crash("ended with exit code 125")),
    Attack(
        "closes its output and log",
        "os.closerange(1, 3); time.sleep(60)",
        _crash("closed its standard output"),
    ),
    Attack("an endless line", "[os.write(1, b'x' * 65536) for _ in range(10**6)]", LONG),
    Attack("a flood of lines", "[os.write(1, b'{}\\n' * 9999) for _ in range(10**6)]", FLOOD),
    Attack("a flood of text", "[os.write(1, b'text\\n' * 9999) for _ in range(10**6)]", FLOOD),
    Attack("a flood of empty lines", "[os.write(1, b'\\n' * 65536) for _ in range(10**6)]", FLOOD),
    Attack(
        "guesses ids", '[os.write(1, b\'{"id": "%016x", "card": "JS"}\\n\' % n) for n in range(10**6)]', FLOOD
    ),
    Attack("a valid answer of 16 MiB", "say(card=card, more='9' * (16 << 20))", LONG),
    Attack("a bomb of memory", "kept = [b'x' * (1 << 20) for _ in range(1280)]; time.sleep(60)", MEMORY),
    Attack(
        "leaves a daemon",
        "fork(lambda: (os.setsid(), fork(lambda: (os.closerange(0, 3), signal.signal(signal.SIGTERM, signal.SIG_IGN), time.sleep(60))))); time.sleep(0.1); os._exit(0)",
        _crash("ended with exit code 0"),
    ),
    Attack(
        "a fork bomb",
        "[fork(lambda: time.sleep(60)) for _ in range(300)]",
        _crash("ended with exit code 1"),
    ),
    Attack(
        "a thread bomb",
        "[threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range(300)]",
        _crash("ended with exit code 1"),
    ),
    Attack(
        "leaves a child that holds its output",
        "os.fork() and os._exit(0); time.sleep(60)",
        _crash("ended with exit code 0"),
    ),
)
#: Costs a decision, or two, or all of its time.
ENDURED = (
    Attack("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", SILENT, HASTY),
    Attack(
        "ignores signals",
        "[signal.signal(s, signal.SIG_IGN) for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]; time.sleep(60)",
        SILENT,
        HASTY,
    ),
    Attack(
        "half a line", "os.write(1, b'{\"id\": \"' + message['id'].encode()); time.sleep(60)", SILENT, HASTY
    ),
    Attack(
        "lines that end with CR alone",
        "os.write(1, json.dumps({'id': message['id'], 'card': card}).encode() + b'\\r'); time.sleep(60)",
        SILENT,
        HASTY,
    ),
    Attack("closes its input", "os.close(0); time.sleep(60)", SILENT, HASTY),
    Attack("is late once", "time.sleep(0.2)", SILENT[:1], HASTY),
    Attack("debug text", "print('thinking', flush=True)", _garbage("belongs on standard error")),
    Attack(
        "no UTF-8, and UTF-16",
        ("os.write(1, b'\\xff\\n')", "os.write(1, '{}\\n'.encode('utf-16-le'))"),
        _garbage("not UTF-8", "not JSON"),
    ),
    Attack(
        "a byte order mark, and NULs",
        ("os.write(1, b'\\xef\\xbb\\xbf{}\\n')", "os.write(1, b'\\0\\0\\n')"),
        _garbage("not JSON", "not JSON"),
    ),
    Attack(
        "NaN and Infinity for a card",
        ("raw(b'NaN')", "raw(b'-Infinity')"),
        _garbage("NaN is no JSON", "Infinity is no JSON"),
    ),
    Attack(
        "1e400 for a card, and nested arrays",
        ("raw(b'1e400')", "os.write(1, b'[' * 60000 + b'\\n')"),
        _garbage("1e400 is too large", "nested deeper than 16"),
    ),
    Attack(
        "-1 and 10^18 for a card",
        ("raw(b'-1')", "raw(b'1000000000000000000')"),
        _invalid("-1, no string", "1000000000000000000, no string"),
    ),
    Attack(
        "a list for a card, and none", ("raw(b'[\"JS\"]')", "say()"), _invalid("['JS'], no string", "missing")
    ),
    Attack(
        "an unknown card, and a bid",
        ("say(card='ZZ')", "say(bid='pass')"),
        _invalid("'ZZ' is no card", "missing"),
    ),
    Attack(
        "a card played already, and one of others",
        ("say(card=played[0])", "say(card=foreign())"),
        _invalid("is not in the hand", "is not in the hand"),
    ),
    Attack(
        "three kinds of faults",
        ("say()", "print('thinking', flush=True)", "say(card='')"),
        _invalid("missing") + _garbage("not JSON") + _invalid("is no card"),
    ),
)
#: Costs its own clock alone: 24 at a time, each for 5 ms of a processor, in its own turn.
CROWDS = (
    Attack(
        "24 threads",
        "crowd = [threading.Thread(target=spin, args=(0.005,)) for _ in range(24)]; [t.start() for t in crowd]; [t.join() for t in crowd]",
    ),
    Attack("24 processes", "[fork(lambda: spin(0.005)) for _ in range(24)]; [os.wait() for _ in range(24)]"),
)
#: Harms nobody and is no fault.
HARMLESS = (
    Attack(
        "tries every wall",
        "networks(), writable_places(), own_files_changed(), calls_that_worked(), environments(), privileges(), readable('/root/x')",
        prelude=PRELUDE,
    ),
    Attack("two answers", "say(card=card); say(card=message['legal'][-1])"),
    Attack(
        "answers in advance", '[os.write(1, b\'{"id": "%d", "card": "JS"}\\n\' % n) for n in range(1000)]'
    ),
    Attack("CR LF", "os.write(1, json.dumps({'id': message['id'], 'card': card}).encode() + b'\\r\\n')"),
    Attack("a flood in its log", "[os.write(2, b'x' * 65536) for _ in range(200)]"),
    Attack(
        "writes into its own input",
        "os.write(os.open('/proc/self/fd/0', os.O_WRONLY), b'{\"type\": \"bye?\"}\\n')",
    ),
    Attack("many that sleep", "[fork(lambda: time.sleep(60)) for _ in range(20)]"),
    Attack("children that spin in the others' time", "[fork(spin) for _ in range(3)]"),
    Attack(
        "a flood in the log in the others' time",
        "fork(lambda: [os.write(2, b'x' * 65536) for _ in range(10**9)])",
    ),
)
