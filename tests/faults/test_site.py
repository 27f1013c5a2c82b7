"""The site as production serves it, and clients that send too much, too slowly, or half."""

import http.client
import json
import select
import socket
import threading
import zipfile
from pathlib import Path

import pytest

from league.bots import services as bots
from league.bots.models import Version
from tests.league import kit

pytestmark = pytest.mark.django_db(transaction=True)
BOT = b"import polignac\n\n\nclass Mine(polignac.Bot):\n    pass\n\n\nMine().run()\n"
MIB = 1024 * 1024
REQUEST_S = 4


@pytest.fixture
def upload(start_site, tmp_path):
    """A site, and ann's bot on it."""
    site = start_site(REQUEST_S=str(REQUEST_S))
    ann = kit.user("ann")
    token = kit.client(ann)._credentials["HTTP_AUTHORIZATION"]
    return Upload(site, bots.create_bot(ann, "Dodger"), token)


class Upload:
    """Uploads to a site, byte by byte."""

    def __init__(self, site, bot, token):
        self.site = site
        self.path = f"/api/v1/bots/{bot.pk}/versions/"
        self.headers = {"Authorization": token, "Content-Type": "multipart/form-data; boundary=x"}

    def head(self, **more):
        """The request's head; `more` are further header lines."""
        lines = [f"POST {self.path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in {**self.headers, **more}.items()]
        return "\r\n".join([*lines, "", ""]).encode()

    def send(self, body, **more):
        """(status, error's code) of a whole upload."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        try:
            connection.request("POST", self.path, body, self.headers | more)
            return told(connection.getresponse())
        finally:
            connection.close()

    def open(self, data=b""):
        """A connection with something sent on it."""
        connection = socket.create_connection(("127.0.0.1", self.site.port), 60)
        connection.sendall(data)
        return connection

    def get(self):
        """The status of another request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        try:
            connection.request("GET", "/api/v1/bots/")
            return connection.getresponse().status
        finally:
            connection.close()


def told(answer):
    """(status, error's code) of an answer; without a code where the site was not reached."""
    data = answer.read()
    return answer.status, json.loads(data).get("code") if data.startswith(b"{") else None


def answer_on(connection):
    """The same of what comes on a connection; None when it is closed without an answer."""
    answer = http.client.HTTPResponse(connection)
    try:
        answer.begin()
        return told(answer)
    except (http.client.BadStatusLine, ConnectionError):
        return None
    finally:
        answer.close()
        connection.close()


def form(data, name="bot.zip"):
    """A form with that file."""
    head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return head.encode() + data + b"\r\n--x--\r\n"


def files_in(*folders):
    return [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]


def peaks(pids):
    """The most memory that each has had, in bytes."""
    status = {pid: Path(f"/proc/{pid}/status").read_text() for pid in pids}
    return {pid: int(text.partition("VmHWM:")[2].split()[0]) * 1024 for pid, text in status.items()}


def bomb(path, lie=False):
    """A zip of 200 MB of zeros; with a lie, one that says they are a thousand bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", BOT)
        with archive.open("zeros", "w") as file:
            for _ in range(200):
                file.write(bytes(1_000_000))
    data = path.read_bytes()
    path.unlink()
    assert len(data) < 210_000
    size = (200_000_000).to_bytes(4, "little")
    assert data.count(size) == 2
    return data.replace(size, (1_000).to_bytes(4, "little")) if lie else data


def test_200_MB_of_zeros_are_refused_with_flat_memory_and_nothing_left(upload, settings, tmp_path):
    assert upload.send(form(BOT, "bot.py"))[0] == 201
    assert upload.send(form(BOT, "bot.py"))[0] == 200
    kept, pids = files_in(settings.DATA_DIR), upload.site.workers()
    before = peaks(pids)
    bombs = {lie: form(bomb(tmp_path / "bomb.zip", lie)) for lie in (False, True)}
    for _ in range(3):
        for lie, body in bombs.items():
            assert upload.send(body) == (413, "too_large"), lie
    after = peaks(pids)
    # 8 MiB may be inflated; what else there is are the interpreter's own ups and downs.
    assert max(after[pid] - before[pid] for pid in pids) < 32 * MIB
    assert files_in(settings.DATA_DIR, tmp_path / "tmp") == kept
    assert Version.objects.count() == 1


def test_a_body_over_the_limit_or_without_its_length_is_refused_unread(upload, settings, tmp_path):
    with upload.open(upload.head(Content_Length=10_000_000_000)) as connection:
        assert answer_on(connection) == (413, "too_large")
    with upload.open(upload.head(Transfer_Encoding="chunked") + b"10\r\n") as connection:
        assert answer_on(connection) == (411, "length_required")
    # Both told at once: what a smuggler sends.
    both = upload.head(Transfer_Encoding="chunked", Content_Length=5)
    with upload.open(both + b"0\r\n\r\n") as connection:
        assert answer_on(connection) == (411, "length_required")
    assert upload.get() == 200
    assert files_in(settings.DATA_DIR, tmp_path / "tmp") == []


@pytest.mark.parametrize(
    "request_line",
    ["GET /api/v1/bots/?name=Zo\u00eb HTTP/1.1", "GET / HTTP/1.1\r\nHost: two", "\x16\x03\x01"],
)
def test_what_is_no_request_is_told_so_by_a_problem_with_an_id(upload, request_line):
    with upload.open(f"{request_line}\r\nHost: localhost\r\n\r\n".encode()) as connection:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        told = json.load(answer)
    assert (answer.status, told["code"]) == (400, "bad_request")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Request-ID"] == told["request_id"] != ""
    assert f"[{told['request_id']}]" in upload.site.log.read_text()
    assert upload.get() == 200


def test_half_an_upload_is_no_upload(upload, settings, tmp_path):
    whole = form(BOT, "bot.py")
    with upload.open(upload.head(Content_Length=len(whole)) + whole[:-40]) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert answer_on(connection) == (408, "incomplete")
    assert not Version.objects.exists()
    assert files_in(settings.DATA_DIR, tmp_path / "tmp") == []


def test_slow_clients_are_cut_off_and_others_are_served_meanwhile(upload, settings, tmp_path):
    whole = form(BOT, "bot.py")
    silent = [upload.open() for _ in range(40)]  # more than there are threads
    heads = [upload.open(upload.head()[:20]) for _ in range(4)]
    bodies = [upload.open(upload.head(Content_Length=len(whole))) for _ in range(4)]
    done = threading.Event()
    dripping = threading.Thread(target=drip, args=([*heads, *bodies], done))
    dripping.start()
    try:
        assert [upload.get() for _ in range(4)] == [200] * 4
        assert select.select([*heads, *bodies], [], [], 0)[0] == [], "others were served meanwhile"
        assert [answer_on(connection) for connection in bodies] == [(408, "incomplete")] * 4
        assert [answer_on(connection) for connection in heads] == [None] * 4
    finally:
        done.set()
        dripping.join()
    for connection in silent:
        assert connection.recv(1) == b""
        connection.close()
    assert not Version.objects.exists()
    assert files_in(settings.DATA_DIR, tmp_path / "tmp") == []


def drip(connections, done):
    """Send a byte every now and then on each."""
    while not done.wait(0.2):
        for connection in connections:
            try:
                connection.send(b"-")
            except OSError:
                continue
