"""The REST client asks again where that helps, and only there."""

import pytest

from client.api import Api, ApiError
from client.patience import Patience
from client.refusal import retry_after
from tests.support.wire import answering, cut

ME = (200, {}, {"username": "ann"})
BUSY = {
    "code": "throttled",
    "detail": "Too many requests.",
    "field": None,
    "errors": [],
    "request_id": "5f0c2a9be1d3477a",
}


class Pauses(list):
    """What was waited for; the waiting itself is skipped."""

    def patience(self, wait_s=60.0):
        return Patience(wait_s, lambda seconds, reason: self.append((round(seconds, 1), reason)))


def test_429_and_503_are_asked_again_when_the_site_says():
    pauses = Pauses()
    answers = [(429, {"Retry-After": "7"}, BUSY), (503, {"Retry-After": "2"}, b"<html>"), ME]
    with answering(*answers) as site, Api(site.url, patience=pauses.patience()) as api:
        assert api.me() == {"username": "ann"}
    assert pauses == [(7.0, "Too many requests."), (2.0, "HTTP 503 Service Unavailable")]


def test_a_wait_that_is_too_long_is_left_to_the_caller():
    pauses = Pauses()
    with answering((429, {"Retry-After": "3600"}, BUSY)) as site:
        api = Api(site.url, patience=pauses.patience())
        with pytest.raises(ApiError, match="throttled") as caught:
            api.me()
    assert (caught.value.retry_after_s, caught.value.later, pauses) == (3600.0, True, [])
    assert len(site.seen) == 1


def test_without_a_wish_it_waits_twice_as_long_each_time_and_gives_up():
    pauses = Pauses()
    with answering((503, {}, {})) as site:
        api = Api(site.url, patience=Patience(10.0, lambda seconds, _: pauses.append(seconds)))
        with pytest.raises(ApiError, match="503"):
            api.me()
    assert len(site.seen) == len(pauses) + 1
    assert all(0.74 * 2**n <= 2 * pause <= 1.26 * 2**n for n, pause in enumerate(pauses))
    assert 4 <= len(pauses) <= 5


@pytest.mark.parametrize("status", [400, 401, 404, 409, 500, 502])
def test_any_other_answer_is_final(status):
    pauses = Pauses()
    with answering((status, {}, {})) as site, pytest.raises(ApiError, match=str(status)):
        Api(site.url, patience=pauses.patience()).me()
    assert (len(site.seen), pauses) == (1, [])


def test_who_has_no_patience_asks_once():
    with answering((503, {"Retry-After": "0"}, {}), ME) as site, pytest.raises(ApiError):
        Api(site.url).me()
    assert len(site.seen) == 1


def test_a_write_that_is_sent_again_carries_the_same_key_and_another_write_another():
    with answering((503, {"Retry-After": "0"}, {}), (200, {}, {})) as site:
        api = Api(site.url, patience=Pauses().patience())
        api.open_tournament(1)
        api.open_tournament(1)
    first, again, other = [headers["Idempotency-Key"] for _, _, headers, _ in site.seen]
    assert first == again
    assert other != first


def test_a_cut_connection_is_tried_again_whichever_way_it_is_cut():
    pauses = Pauses()
    with answering((200, {}, {"id": 3})) as site, cut(site.url, ("up", 1000), ("down", 20)) as wire:
        api = Api(wire.url, patience=pauses.patience())
        assert api.upload(1, "bot.py", b"x" * 200_000) == {"id": 3}
    assert len(pauses) == 2
    assert [len(body) > 200_000 for _, _, _, body in site.seen] == [False, True, True]


def test_a_page_that_is_no_json_is_not_taken_for_an_answer():
    page = (200, {"Content-Type": "text/html"}, b"<html>hello</html>")
    with answering(page) as site, pytest.raises(ApiError, match="not with JSON") as caught:
        Api(site.url, patience=Pauses().patience()).me()
    assert (caught.value.code, caught.value.later) == ("not_the_api", False)


def test_where_nobody_is_four_tries_are_enough():
    pauses = Pauses()
    with pytest.raises(ApiError, match="unreachable"):
        Api("http://127.0.0.1:9", patience=pauses.patience()).me()
    assert len(pauses) == 3


def test_a_password_in_the_netrc_does_not_replace_the_token(tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login eve password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with answering(ME) as site:
        Api(site.url, "t0ken").me()
    assert site.seen[0][2]["Authorization"] == "Bearer t0ken"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("12", 12.0), (" 0 ", 0.0), ("soon", None), ("-1", None), ("²", None)],
)
def test_what_retry_after_means(header, seconds):
    assert retry_after(header) == seconds


def test_retry_after_may_be_a_date():
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert retry_after("Wed, 21 Oct 2115 07:28:00 GMT") > 1e9
