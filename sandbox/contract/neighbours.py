# ruff: noqa: E501 - the ways to talk are a table
"""Two bots of one table, perhaps of one owner, must not talk behind the referee's back.

What can't be closed is time itself: they share a core, its caches and the machine's pages, and each may
watch how long its own work takes. That is coarse, and what it uses off turn is charged to its bank.
"""

from typing import Final

from arena.seat import Reply
from sandbox.contract.means import ask, behaviour, hello, must, seated
from sandbox.session import Backend

#: One bot speaks in every way that it can think of, the other listens.
_TALK: Final = r"""
import fcntl, struct

WORD = 0x706F6C69676E6163
KEY = 0x706F6C69
COMMON = [sys.executable, os.__file__, "/proc/version", "/dev/null", "/", os.path.dirname(os.__file__), "/usr/lib",
          "/etc/hosts", "/etc/ld.so.cache", *(line.split()[-1] for line in open("/proc/self/maps") if "libc" in line)]
libc = ctypes.CDLL(None, use_errno=True)
kept, heard = [], []
IPC = {"x86_64": dict(shmget=29, semget=64, msgget=68), "aarch64": dict(shmget=194, semget=190, msgget=186)}[os.uname().machine]

def lock(kind, start=0):
    return struct.pack("hhqqixxxx", kind, os.SEEK_SET, start, 1, 0)

def files():
    found = {}
    for path in COMMON:
        try:
            found[os.path.realpath(path)] = os.open(path, os.O_RDONLY)
        except OSError:
            pass
    return found.items()

def attempt(name, act):
    try:
        if act():
            heard.append(name)
    except (OSError, AttributeError, ValueError):
        pass

def abstract(act):
    def connected():
        end = socket.socket(socket.AF_UNIX)
        kept.append(end)
        getattr(end, act)("\0polignac")
        end.listen() if act == "bind" else None
        return True
    return connected

def speak():
    attempt("an abstract socket", abstract("bind"))
    for name, number in IPC.items():
        attempt(name, lambda: libc.syscall(number, KEY, 1, 0o1666, 0))
    attempt("mq_open", lambda: ctypes.CDLL("librt.so.1").mq_open(b"/polignac", os.O_RDWR | os.O_CREAT, 0o666, None))
    for path in ("/dev/shm", "/dev/mqueue", "/tmp", "/run", "/run/polignac", "/bot", "/var/tmp"):
        attempt(path, lambda: kept.append(open(path + "/polignac", "w")))
    for path, file in files():
        attempt("flock", lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
        attempt("a lock of a process", lambda: fcntl.fcntl(file, fcntl.F_SETLK, lock(fcntl.F_RDLCK)))
        attempt("a lock of a file", lambda: fcntl.fcntl(file, 37, lock(fcntl.F_RDLCK, WORD)))
        attempt("a look into a folder", lambda: os.listdir(file))
    for pid in range(-1, 400):
        if pid not in (0, 1, os.getpid()):
            attempt("a signal", lambda: os.kill(pid, signal.SIGUSR1))

def listen():
    for number in (signal.SIGUSR1, signal.SIGIO):
        signal.signal(number, lambda number, frame: heard.append(signal.Signals(number).name))
    for path, file in files():
        attempt("", lambda: fcntl.fcntl(file, fcntl.F_NOTIFY, fcntl.DN_ACCESS | fcntl.DN_MULTISHOT))

def overheard():
    attempt("an abstract socket", abstract("connect"))
    for name, number in IPC.items():
        attempt(name, lambda: libc.syscall(number, KEY, 1, 0) >= 0)
    attempt("mq_open", lambda: ctypes.CDLL("librt.so.1").mq_open(b"/polignac", os.O_RDWR) >= 0)
    for path in ("/dev/shm", "/dev/mqueue", "/tmp", "/run", "/run/polignac", "/bot", "/var/tmp"):
        attempt(path, lambda: open(path + "/polignac"))
    attempt("/proc/locks", lambda: str(WORD) in open("/proc/locks").read())
    for path, file in files():
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            heard.append("a flock of " + path)
        except OSError:
            pass
        for command, kind in (("a lock of a process", fcntl.F_GETLK), ("a lock of a file", 36)):
            for start in (0, WORD):
                attempt(command, lambda: struct.unpack_from("h", fcntl.fcntl(file, kind, lock(fcntl.F_WRLCK, start)))[0] != fcntl.F_UNLCK)
        attempt("a lease", lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK) == 0)
    return sorted(set(heard) - {""})

def report():
    asked = question()
    print(json.dumps({"id": asked["id"], "found": overheard()}), flush=True)

"""


@behaviour
def two_bots_of_one_table_cannot_talk(backend: Backend) -> None:
    with (
        seated(backend, _TALK + "listen()\nready()\nreport()") as listener,
        seated(backend, _TALK + "speak()\nready()\nwait()") as speaker,
    ):
        for seat in (listener, speaker):
            answer = hello(seat)
            must(isinstance(answer, Reply), f"not ready: {answer}; log: {seat.log[-500:]}")
        answer = ask(listener)
        must(isinstance(answer, Reply), f"no report: {answer}; log: {listener.log[-500:]}")
        found = answer.value["found"] if isinstance(answer, Reply) else []
        must(not found, f"one heard the other by {found}")
