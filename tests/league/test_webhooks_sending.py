"""One attempt at a real receiver: where it may go, how long it may take, what is kept of the answer."""

import ssl
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import ip_address, ip_network

import pytest
import trustme

from league.webhooks.sending import MAX_LATER_S, MAX_REDIRECTS, later_s, post
from tests.support.receiver import dribble, receiver

#: One address of this machine stands for the Internet; all others are inside.
OUTSIDE, INSIDE = "127.0.0.2", "127.0.0.3"
ALLOWED = [ip_network(OUTSIDE)]


def send(url, body=b"{}", timeout_s=30.0, **more):
    return post(url, {"Webhook-Id": "msg_1"}, body, allowed=ALLOWED, timeout_s=timeout_s, **more)


def code_of(attempt):
    return attempt.failure.partition(":")[0]


@pytest.fixture
def outside():
    with receiver(OUTSIDE) as there:
        yield there


@pytest.fixture
def inside():
    with receiver(INSIDE) as there:
        yield there


def test_what_is_sent_arrives_byte_for_byte_and_2xx_is_a_delivery(outside):
    outside.answers = [200, 204, (299, {}, b"thanks")]
    body = '{"name":"Ünïcode ♠","nested":[1,2]}'.encode()
    attempts = [send(outside.url + "?a=b", body) for _ in range(3)]
    assert [(attempt.failure, attempt.code) for attempt in attempts] == [("", 200), ("", 204), ("", 299)]
    assert attempts[2].response == "thanks"
    got = outside.requests[0]
    assert (got.path, got.body) == ("/hook?a=b", body)
    assert got.headers["Host"] == outside.url.split("/")[2]
    assert got.headers["Webhook-Id"] == "msg_1"
    assert not {"Cookie", "Authorization", "Referer"} & set(got.headers)


def test_any_other_answer_is_a_failure_that_tells_it(outside):
    outside.answers = [301, 302, 303, 304, 400, 401, 404, 410, 429, 500, 503]
    attempts = [send(outside.url) for _ in range(11)]
    assert [code_of(attempt) for attempt in attempts][:4] == ["http_301", "http_302", "http_303", "http_304"]
    assert all(attempt.failure for attempt in attempts)
    assert [attempt.gone for attempt in attempts].index(True) == 7


def test_an_address_inside_is_never_contacted(inside):
    attempt = send(inside.url)
    assert (code_of(attempt), attempt.code) == ("address_refused", None)
    assert inside.connections == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_an_address_inside_is_never_followed(outside, inside, status):
    outside.answers = [(status, {"Location": inside.url}, b"")]
    attempt = send(outside.url)
    assert attempt.failure
    assert code_of(attempt) == ("address_refused" if status in (307, 308) else f"http_{status}")
    assert inside.connections == 0


@pytest.mark.parametrize(
    "where", ["//127.0.0.3:8000/", "file:///etc/passwd", "http://u@127.0.0.2/", "https:"]
)
def test_a_redirect_is_judged_as_a_new_address_is(outside, inside, where):
    outside.answers = [(308, {"Location": where}, b"")]
    assert code_of(send(outside.url)) in {"address_refused", "bad_url"}
    assert inside.connections == 0


def test_a_redirect_that_keeps_the_method_is_followed_with_the_same_bytes_and_not_for_ever(outside):
    outside.answers = [(307, {"Location": "/moved"}, b"")]
    assert send(outside.url, b'{"a":1}').failure == ""
    assert [(got.path, got.body) for got in outside.requests] == [
        ("/hook", b'{"a":1}'),
        ("/moved", b'{"a":1}'),
    ]
    outside.requests.clear()
    outside.usual = (308, {"Location": "/again"}, b"")
    assert code_of(send(outside.url)) == "http_308"
    assert len(outside.requests) == 1 + MAX_REDIRECTS


def test_a_name_is_resolved_once_and_what_was_checked_is_what_is_reached(outside, inside):
    """DNS rebinding: the second answer would lead inside, on the same port."""
    port = outside.url.rpartition(":")[2]
    answers = [[ip_address(OUTSIDE)], [ip_address(INSIDE)]]
    asked = []

    def rebinding(host, within_s):
        asked.append(host)
        return answers[len(asked) - 1]

    assert send(f"http://rebound.example:{port}", resolve=rebinding).failure == ""
    assert asked == ["rebound.example"]
    assert outside.requests[0].headers["Host"] == f"rebound.example:{port.partition('/')[0]}"
    assert code_of(send(f"http://rebound.example:{port}", resolve=rebinding)) == "address_refused"
    assert inside.connections == 0


def test_of_several_addresses_the_next_is_tried_where_one_does_not_answer(outside):
    port = outside.url.rpartition(":")[2]
    # Nobody listens on the first, on that port.
    attempt = post(
        f"http://two.example:{port}",
        {},
        b"{}",
        allowed=[ip_network("127.0.0.0/24")],
        timeout_s=30.0,
        resolve=lambda host, within_s: [ip_address("127.0.0.4"), ip_address(OUTSIDE)],
    )
    assert attempt.failure == ""


def test_the_environments_proxies_are_not_for_webhooks(outside, inside, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, inside.url)
    assert send(outside.url).failure == ""
    assert inside.connections == 0


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 ", b"HTTP/1.1 200 OK\r\nX-Slow: "])
def test_a_receiver_that_dribbles_is_cut_off_when_the_time_is_up(outside, start):
    stop = threading.Event()
    outside.usual = lambda connection: dribble(connection, start, stop)
    attempt = send(outside.url, timeout_s=0.3)
    stop.set()
    assert attempt.failure == "timeout: it took longer than 0.3 s"
    assert attempt.code is None


def test_a_body_without_an_end_is_not_read_to_its_end(outside):
    stop = threading.Event()

    def endless(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"a" * 100_000)
        stop.wait(60)

    outside.usual = endless
    attempt = send(outside.url)
    stop.set()
    assert (attempt.failure, attempt.code) == ("", 200)
    assert 0 < len(attempt.response) <= 500


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\xfe nonsense\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 999999999999 No\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 307 Again\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_an_answer_that_makes_no_sense_is_a_failure_and_no_crash(outside, answer):
    outside.usual = lambda connection: connection.sendall(answer)
    assert send(outside.url).failure


def test_nobody_listening_is_a_failure_that_says_so():
    assert code_of(send(f"http://{OUTSIDE}:1024/")) == "unreachable"


def test_when_to_come_again_is_seconds_or_a_date():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert 95 < later_s(soon) <= 100
    assert later_s(" 120 ") == 120.0
    assert later_s("9" * 18) == later_s("Fri, 31 Dec 9999 23:59:59 GMT") == MAX_LATER_S
    nonsense = ("", "-1", "1.5", "\u0661", "9" * 19, "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 99 Foo 0 GMT")
    assert {later_s(text) for text in nonsense} == {0.0}


def test_what_a_stranger_answers_is_kept_inert_and_short(outside):
    outside.usual = (500, {}, b"\x00\x1b[31mred\x1b[0m \xff <script>" + "\u202e".encode() + b"x" * 3000)
    kept = send(outside.url).response
    assert len(kept) == 500
    assert all(c.isprintable() for c in kept)
    assert "red" in kept


# -- TLS -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def authority():
    """An authority of our own, and a server's certificate for one name."""
    made = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.issue_cert("hooks.example").configure_cert(context)
    return made, context


@pytest.fixture
def secure(authority):
    with receiver(OUTSIDE, authority[1]) as there:
        yield there


@pytest.fixture
def trusted(authority, tmp_path, monkeypatch):
    """This process trusts that authority, as an operator would have it."""
    authority[0].cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))


def securely(there, name):
    port = there.url.rpartition(":")[2]
    return send(f"https://{name}:{port}", resolve=lambda host, within_s: [ip_address(OUTSIDE)])


def test_over_tls_the_certificate_must_be_for_the_name_though_the_connection_goes_to_an_address(
    secure, trusted
):
    assert securely(secure, "hooks.example").failure == ""
    assert secure.requests[0].headers["Host"].startswith("hooks.example:")
    assert code_of(securely(secure, "other.example")) == "tls"
    assert len(secure.requests) == 1


def test_a_certificate_of_an_unknown_authority_is_refused(secure):
    attempt = securely(secure, "hooks.example")
    assert code_of(attempt) == "tls"
    assert secure.requests == []
