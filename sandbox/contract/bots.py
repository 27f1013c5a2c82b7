# ruff: noqa: E501 - the attacks are tables
"""What the contract's bots are made of: attacks, each of which reports what it managed to do."""

PRELUDE = r"""
import asyncio, ctypes, errno, json, os, resource, signal, socket, sqlite3, stat, subprocess, sys, threading, time

def question():
    return json.loads(sys.stdin.readline())

def answer(**reply):
    print(json.dumps({"id": question()["id"], **reply}), flush=True)

def ready(**extra):
    answer(ready=True, **extra)

def wait():
    while True:
        time.sleep(3600)

def flood(descriptor, chunk=b"x" * 65536):
    while True:
        os.write(descriptor, chunk)

def hoard(pieces=10_000):
    kept = []
    for _ in range(pieces):
        kept.append(b"x" * (1 << 20))
    wait()

def fill_sockets():
    def fill(kept):
        try:
            while True:
                pair = socket.socketpair()
                kept.append(pair)
                for end in pair:
                    end.setblocking(False)
                    try:
                        while True:
                            end.send(b"x" * 65536)
                    except BlockingIOError:
                        pass
        except OSError:
            pass
        return kept
    kept = []
    fill(kept)
    try:
        for _ in range(40):
            if os.fork() == 0:
                for pair in kept:
                    for end in pair:
                        end.close()
                kept = []
                fill(kept)
                wait()
    except OSError:
        pass

def honest_work():
    done = []
    thread = threading.Thread(target=done.append, args=("threads",))
    thread.start()
    thread.join()
    async def nap():
        await asyncio.sleep(0)
        done.append("asyncio")
    asyncio.run(nap())
    done.append(subprocess.run([sys.executable, "-c", "print('subprocess')"], capture_output=True, text=True).stdout.strip())
    done.append(sqlite3.connect(":memory:").execute("select 'sqlite'").fetchone()[0])
    done.append("random" if os.urandom(4) else "")
    done.append(subprocess.run("echo shell", shell=True, capture_output=True, text=True).stdout.strip())
    done.append(subprocess.run(["python3", "-c", "print('python3')"], capture_output=True, text=True).stdout.strip())
    return done

def forks():
    count = 0
    try:
        while count < 300:
            if os.fork() == 0:
                wait()
            count += 1
    except OSError:
        pass
    return count

def threads():
    threading.stack_size(65536)
    count = 0
    try:
        while count < 300:
            threading.Thread(target=wait, daemon=True).start()
            count += 1
    except RuntimeError:
        pass
    return count

def networks():
    found = []
    for family in ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG", "AF_BLUETOOTH", "AF_TIPC"):
        for kind in ("SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW", "SOCK_SEQPACKET"):
            try:
                socket.socket(getattr(socket, family, 99), getattr(socket, kind)).close()
                found.append(family + " " + kind)
            except OSError:
                pass
    for line in open("/proc/net/dev").read().splitlines()[2:]:
        if line.split(":")[0].strip() != "lo":
            found.append(line)
    return found

def writable_places():
    found = []
    def attempt(path, act):
        try:
            act()
            found.append(path)
        except (OSError, ValueError):
            pass
    for folder, folders, files in os.walk("/"):
        if folder.count("/") > 4 or folder.startswith("/proc/") and folder != "/proc/sys":
            folders.clear()
        name = os.path.join(folder, "polignac-was-here")
        attempt(folder, lambda: open(name, "x").close())
        attempt(folder, lambda: os.mkdir(name))
        attempt(folder, lambda: os.symlink("/", name))
        attempt(folder, lambda: os.mkfifo(name))
    for path in ("/dev/shm/x", "/dev/mqueue/x", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                 "/sys/fs/cgroup/cgroup.procs", "/run/x", "/var/tmp/x", "/home/x", "/root/x"):
        attempt(path, lambda: open(path, "w").close())
    attempt("/tmp by O_TMPFILE", lambda: os.close(os.open("/tmp", os.O_TMPFILE | os.O_RDWR)))
    return found

def own_files_changed():
    found = []
    me = os.path.abspath(__file__)
    for name, act in {
        "open": lambda: open(me, "a").close(),
        "chmod": lambda: os.chmod(me, 0o777),
        "chmod folder": lambda: os.chmod(os.path.dirname(me), 0o777),
        "unlink": lambda: os.unlink(me),
        "rename": lambda: os.rename(me, me + "x"),
        "truncate": lambda: os.truncate(me, 0),
        "utime": lambda: os.utime(me),
        "link": lambda: os.link(me, me + "x"),
        "xattr": lambda: os.setxattr(me, "user.x", b"x"),
    }.items():
        try:
            act()
            found.append(name)
        except OSError:
            pass
    return found

def calls_that_worked():
    machine = os.uname().machine
    numbers = {
        "x86_64": dict(ptrace=101, mount=165, umount2=166, unshare=272, setns=308, chroot=161, pivot_root=155, mknod=133,
            keyctl=250, add_key=248, request_key=249, bpf=321, perf_event_open=298, userfaultfd=323, io_uring_setup=425,
            process_vm_readv=310, kexec_load=246, init_module=175, delete_module=176, swapon=167, reboot=169, settimeofday=164,
            sethostname=170, quotactl=179, acct=163, iopl=172, ioperm=173, shmget=29, msgget=68, semget=64, mq_open=240,
            open_by_handle_at=304, name_to_handle_at=303, fanotify_init=300, inotify_init1=294, memfd_secret=447, clone3=435,
            landlock_create_ruleset=444, move_mount=429, open_tree=428, fsopen=430, fsmount=432, mount_setattr=442,
            pidfd_getfd=438, vmsplice=278, tee=276, modify_ldt=154, uselib=134, sysfs=139, lookup_dcookie=212, nfsservctl=180),
        "aarch64": dict(ptrace=117, mount=40, umount2=39, unshare=97, setns=268, chroot=51, mknodat=33, keyctl=219, bpf=280,
            perf_event_open=241, userfaultfd=282, io_uring_setup=425, shmget=194, msgget=186, semget=190, mq_open=180),
    }[machine]
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    for name, number in numbers.items():
        ctypes.set_errno(0)
        libc.syscall(number, 0, 0, 0, 0, 0, 0)
        # Refused before the call itself looked at its arguments: by the list, or for want of rights.
        if ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            found.append(f"{name}: {os.strerror(ctypes.get_errno())}")
    clone = {"x86_64": 56, "aarch64": 220}[machine]
    for name, flag in dict(user=0x10000000, net=0x40000000, mount=0x20000, pid=0x20000000).items():
        child = libc.syscall(clone, flag | 17, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        if child > 0:
            found.append("clone into a new namespace: " + name)
    # The calls of x32 are killed for or refused, as the backend has it.
    if machine == "x86_64" and os.fork() == 0:
        os._exit(libc.syscall(0x40000000 | 39) > 0)
    if machine == "x86_64" and os.wait()[1] == 256:
        found.append("x32 calls")
    return found

def privileges():
    status = dict(line.split(":\t") for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
    for act in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0])):
        try:
            act()
        except OSError:
            continue
        if os.getuid() == 0 or os.getgid() == 0:
            return "became root"
    found = {name: int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd")}
    return {**found, "NoNewPrivs": int(status["NoNewPrivs"]), "Seccomp": int(status["Seccomp"])}

def environments():
    # Every variable that any process in sight has.
    found = set(os.environ)
    for name in os.listdir("/proc"):
        try:
            found.update(part.split("=")[0] for part in open(f"/proc/{name}/environ").read().split("\0") if part)
        except OSError:
            pass
    return sorted(found)

def processes():
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                found.append(open(f"/proc/{name}/cmdline").read().replace("\0", " ")[:80])
            except OSError:
                found.append(name)
    return found

def descriptors():
    found = []
    for number in range(200):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    return found

def readable(here):
    found = []
    for path in (here, os.path.dirname(here), "/etc/shadow", "/var/run/docker.sock", "/run/docker.sock", "/root", "/home/x",
                 "/proc/1/mem", "/proc/kcore", "/proc/kmsg", "/dev/mem", "/dev/sda", "/dev/vda", "/run/polignac/seat"):
        try:
            found.append(path if os.path.isdir(path) and os.listdir(path) else path if open(path, "rb").read(1) else "")
        except OSError:
            pass
    return [path for path in found if path]

def advantages():
    found = []
    mine = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for name, act in {
        "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        "a round robin": lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)),
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -1),
        "priority of the first process": lambda: os.setpriority(os.PRIO_PROCESS, 1, -1),
        "more files": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (mine + 1, mine + 1)),
        "more files by prlimit": lambda: resource.prlimit(0, resource.RLIMIT_NOFILE, (mine + 1, mine + 1)),
        "another time": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
        "a lock in memory": lambda: mlock(1 << 20),
    }.items():
        try:
            act()
            found.append(name)
        except (OSError, ValueError):
            pass
    return found

def mlock(size):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlock(ctypes.create_string_buffer(size), size):
        raise OSError(ctypes.get_errno(), "mlock")

def cores():
    try:
        os.sched_setaffinity(0, range(os.cpu_count()))
    except OSError:
        pass
    return sorted(os.sched_getaffinity(0))

def taken_from_the_first_process():
    # How many bytes somebody out there takes of what is written where the first process writes.
    found = {}
    for number in range(64):
        try:
            end = os.open(f"/proc/1/fd/{number}", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            continue
        if not stat.S_ISCHR(os.fstat(end).st_mode):
            found[number] = 0
            for _ in range(200):
                try:
                    found[number] += os.write(end, b"x" * 65536)
                except OSError:
                    time.sleep(0.001)
    return {number: size for number, size in found.items() if size > 1 << 20}

def daemon(mark):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(3):
                os.close(number)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            os.execv(sys.executable, [sys.executable, "-c", "import time\nwhile True: time.sleep(60)", mark])
        os._exit(0)
    os.wait()
    time.sleep(0.3)

"""
