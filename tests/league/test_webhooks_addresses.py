"""Where a webhook may lead: the public Internet, however an address is spelled, and whatever a name says."""

import socket
import threading
from ipaddress import ip_address, ip_network

import pytest

from league.webhooks.addresses import Refused, destination, parsed, public, system_resolver

LOOPBACK = [ip_network("127.0.0.1/32")]


def refused(url, allowed=(), resolve=None):
    """The code with which it is refused."""
    with pytest.raises(Refused) as error:
        destination(url, allowed, 5.0, resolve)
    return error.value.code


def resolver(*answers):
    """A DNS that answers with each of these lists once; `asked` counts."""
    left = list(answers)
    return lambda host, within_s: [ip_address(text) for text in left.pop(0)]


@pytest.mark.parametrize(
    "host",
    [
        # this machine, in every spelling that the system's resolver takes
        *("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001"),
        *("0", "0.0.0.0", "localhost", "LOCALHOST", "127.255.255.254"),
        *("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"),
        # what clouds tell their machines
        *("169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"),
        # private networks, carriers' networks
        *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "10.1", "192.168.257"),
        *("[fd00::1]", "[fc00::1]", "[fe80::1]", "[fec0::1]"),
        # IPv4 in IPv6: 6to4, NAT64 (both prefixes), Teredo
        *("[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[64:ff9b::7f00:1]", "[64:ff9b::8.8.8.8]"),
        *("[64:ff9b:1::1]", "[2001:0:53aa:64c::1]"),
        # nobody's: multicast, broadcast, documentation, benchmarks, reserved
        *("224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.51.100.7"),
        *("203.0.113.9", "198.18.0.1", "192.0.0.8", "192.88.99.1", "[ff02::1]", "[2001:db8::1]", "[100::1]"),
        *("[3fff::1]", "[4000::1]"),
    ],
)
def test_an_address_that_is_not_public_is_refused_in_every_spelling(host):
    assert refused(f"https://{host}/hook") == "address_refused"


@pytest.mark.parametrize(
    "host", ["8.8.8.8", "134744072", "0x08080808", "[2606:4700:4700::1111]", "172.32.0.1"]
)
def test_a_public_address_is_taken(host):
    to = destination(f"https://{host}/hook", [], 5.0)
    assert all(map(public, to.addresses))
    assert to.port == 443


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "bad_url"),
        ("hook", "bad_url"),
        ("//8.8.8.8/", "bad_url"),
        ("https://", "bad_url"),
        ("https:///hook", "bad_url"),
        ("ftp://8.8.8.8/", "bad_url"),
        ("file:///etc/passwd", "bad_url"),
        ("gopher://8.8.8.8:6379/_FLUSHALL", "bad_url"),
        ("javascript:alert(1)", "bad_url"),
        ("https://user@8.8.8.8/", "bad_url"),
        ("https://user:password@8.8.8.8/", "bad_url"),
        ("https://@8.8.8.8/", "bad_url"),
        ("https://8.8.8.8\\@127.0.0.1/", "bad_url"),
        ("https://8.8.8.8\\/", "bad_url"),
        ("https://8.8.8.8/#here", "bad_url"),
        ("https://8.8.8.8/a b", "bad_url"),
        ("https://8.8.8.8/\r\nX-Other: 1", "bad_url"),
        ("https://8.8.8.8/\t", "bad_url"),
        ("https://8.8.8.8/ü", "bad_url"),
        ("https://１２７.0.0.1/", "bad_url"),
        ("https://ⓛocalhost/", "bad_url"),
        ("https://127。0。0。1/", "bad_url"),
        ("https://%31%32%37.0.0.1/", "bad_url"),
        ("https://[fe80::1%25eth0]/", "bad_url"),
        ("https://[::1", "bad_url"),
        ("https://8.8.8.8:port/", "bad_url"),
        ("https://8.8.8.8:99999/", "bad_url"),
        ("https://8.8.8.8:0/", "bad_port"),
        ("https://8.8.8.8:22/", "bad_port"),
        ("https://8.8.8.8:25/", "bad_port"),
        ("http://8.8.8.8/", "not_https"),
        ("https://8.8.8.8/" + "a" * 500, "bad_url"),
        ("https://" + "a." * 200 + "example/", "bad_url"),
        ("https://" + "a" * 64 + ".invalid/", "address_refused"),
    ],
)
def test_a_url_that_is_no_webhooks_is_refused(url, code):
    assert refused(url) == code


def test_a_name_with_one_address_inside_is_refused_whatever_else_it_has():
    assert refused("https://both.example/", resolve=resolver(["8.8.8.8", "10.0.0.1"])) == "address_refused"
    assert refused("https://both.example/", resolve=resolver(["8.8.8.8", "::1"])) == "address_refused"
    assert refused("https://none.example/", resolve=resolver([])) == "address_refused"


def test_names_of_nobody_and_names_of_our_network_get_the_same_answer():
    def nobody(host, within_s):
        raise OSError("no such name")

    answers = set()
    for resolve in (nobody, resolver(["10.0.0.1"])):
        with pytest.raises(Refused) as error:
            destination("https://db.internal/", [], 5.0, resolve)
        answers.add((error.value.code, str(error.value)))
    assert len(answers) == 1


def test_a_name_that_takes_too_long_is_not_waited_for(monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(60) and [])
    with pytest.raises(TimeoutError):
        system_resolver("slow.example", 0.05)
    answered.set()


def test_a_network_that_the_operator_allows_is_reached_over_http_and_its_neighbours_are_not():
    assert destination("http://127.0.0.1:8080/hook?a=b", LOOPBACK, 5.0).path == "/hook?a=b"
    assert refused("http://127.0.0.2:8080/", LOOPBACK) == "address_refused"
    assert refused("http://8.8.8.8/", LOOPBACK) == "not_https"


def test_the_host_header_is_the_name_and_the_port_only_where_it_is_not_the_usual_one():
    assert parsed("https://Hooks.Example/").authority == "hooks.example"
    assert parsed("https://hooks.example:8443/").authority == "hooks.example:8443"
    assert parsed("https://[2606:4700::1]/").authority == "[2606:4700::1]"
    assert parsed("http://hooks.example:443/").authority == "hooks.example:443"
