"""Watching by live events, and without them."""

from itertools import islice

import pytest

from client.api import Api, ApiError
from client.events import Event, parsed
from client.server.live import states
from tests.support.wire import answering

STREAM = {"Content-Type": "text/event-stream"}
NONE = {"code": "not_found", "detail": "There is nothing here."}


def events(*numbers, over=False):
    """An answer that tells these states, then says that it is there, and that it is over or nothing more."""
    told = [f'id: {each}\nevent: tournament\ndata: {{"number": {each}}}\n\n' for each in numbers]
    end = f"id: {numbers[-1]}\nevent: end\ndata: {{}}\n\n" if over else ""
    return 200, STREAM, "".join(["retry: 1\n\n", *told, ":\n\n", end]).encode()


class Watcher:
    """Somebody who watches a site that answers so; `reads` is what asking for the state gives."""

    def __init__(self, *answers, reads=()):
        self.answers, self.reads, self.pauses = answers, iter(reads), 0

    def read(self):
        return {"number": next(self.reads)}

    def pause(self):
        self.pauses += 1

    def numbers(self, most=100):
        """The states, so many at the most; what was asked for is in `paths` and `lasts` then."""
        with answering(*self.answers) as site, Api(site.url) as api:
            told = states(api, "tournaments/5", self.read, self.pause)
            found = [state["number"] for state in islice(told, most)]
        self.paths = {path for _, path, _, _ in site.seen}
        self.lasts = [headers.get("Last-Event-ID") for _, _, headers, _ in site.seen]
        return found


def test_events_are_parsed_as_the_standard_has_them():
    first = [":here", "id: 7", "event:state", "data: {", "data:  1}", "strange: x", ""]
    assert list(parsed([*first, "retry: 5", "", "data: x", ""])) == [
        None,
        Event("7", "state", "{\n 1}"),
        Event("7", "message", "x"),
    ]
    assert list(parsed(["id: 1", "data: broken off"])) == []


def test_a_stream_is_followed_to_its_end_and_nothing_is_asked_for():
    watcher = Watcher(events(1, 2, over=True))
    assert watcher.numbers() == [1, 2, 2]  # the last time because the server said that it is there
    assert (watcher.paths, watcher.pauses) == ({"/api/v1/tournaments/5/events/"}, 0)


def test_one_that_breaks_off_is_taken_up_again_where_it_was():
    watcher = Watcher(events(1), events(2), (204, {}, b""), reads=[1, 2])
    assert watcher.numbers() == [1, 1, 1, 2, 2, 2]
    assert watcher.lasts == [None, "1", "2"]
    assert watcher.pauses == 2


@pytest.mark.parametrize(
    "refusal",
    [(404, {}, NONE), (503, {}, NONE), (200, {}, {"number": 1}), (200, {"Content-Type": "x/y"}, b"")],
)
def test_a_server_that_does_not_stream_is_asked_again_and_again(refusal):
    watcher = Watcher(refusal, reads=[1, 2, 3])
    assert watcher.numbers(most=3) == [1, 2, 3]
    assert watcher.lasts == [None], "it is not asked for a stream twice"


def test_what_can_not_be_read_either_is_an_error():
    with answering((404, {}, NONE)) as site, Api(site.url) as api:
        told = states(api, "tournaments/5", lambda: api.progress(5), lambda: None)
        with pytest.raises(ApiError) as refused:
            next(told)
        assert refused.value.status == 404
