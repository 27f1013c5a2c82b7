"""A channel never waits longer than its stopwatch, and never takes more than the protocol allows."""

import os
import threading

import pytest

from arena.protocol import MAX_LINE_BYTES, MAX_UNANSWERED_BYTES
from sandbox.channel import Channel, Halt
from sandbox.log import BotLog
from sandbox.stopwatch import WallWatch


class Far:
    """The other end of a channel's pipes."""

    def __init__(self):
        self.stdin, into = os.pipe()
        out, self.stdout = os.pipe()
        err, self.stderr = os.pipe()
        self.log = BotLog()
        self.channel = Channel(into, out, err, self.log)
        self.open = {self.stdin, self.stdout, self.stderr}

    def says(self, data: bytes, descriptor=None):
        """Write all of it, in a thread of its own: more than a pipe holds would wait."""
        thread = threading.Thread(target=self._write, args=(data, descriptor or self.stdout))
        thread.start()
        return thread

    @staticmethod
    def _write(data, descriptor):
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError:
            pass

    def close(self, descriptor):
        os.close(descriptor)
        self.open.discard(descriptor)


@pytest.fixture
def far():
    end = Far()
    yield end
    end.channel.close()
    for descriptor in end.open:
        os.close(descriptor)


def soon():
    return WallWatch(50)


def later():
    return WallWatch(5_000)


def test_lines_come_one_by_one_however_they_were_written(far):
    far.says(b"one\ntwo\r\nth").join()
    assert far.channel.line(later()) == b"one"
    assert far.channel.line(later()) == b"two\r"
    assert far.channel.line(soon()) is Halt.TIME
    far.says(b"ree\n").join()
    assert far.channel.line(later()) == b"three"


def test_a_line_that_comes_at_once_and_alone_is_a_quick_one(far):
    far.says(b"one\n").join()
    assert far.channel.quick_line() == b"one"
    far.channel.answered()
    far.says(b"x" * (MAX_LINE_BYTES - 1) + b"\n").join()
    assert far.channel.quick_line() == b"x" * (MAX_LINE_BYTES - 1)


@pytest.mark.parametrize("output", [b"", b"ha", b"one\ntwo\n", b"\n\n", b"one\ntw"])
def test_what_is_no_quick_line_is_left_to_the_long_way_whole(far, output):
    far.says(output).join()
    assert far.channel.quick_line() is None
    far.says(b"lf\n").join()
    whole = output + b"lf\n"
    assert [far.channel.line(later()) for _ in range(whole.count(b"\n"))] == whole.split(b"\n")[:-1]


def test_a_quick_line_counts_as_output_until_it_is_a_reply(far):
    far.says(b"x" * 1023 + b"\n").join()
    assert far.channel.quick_line() == b"x" * 1023
    count = MAX_UNANSWERED_BYTES // 1024 - 1
    thread = far.says((b"x" * 1023 + b"\n") * count + b"\n")
    assert far.channel.quick_line() is None
    assert [far.channel.line(later()) for _ in range(count)] == [b"x" * 1023] * count
    assert far.channel.line(later()) is Halt.FLOOD
    thread.join()


def test_after_the_end_there_are_no_quick_lines(far):
    far.close(far.stdout)
    assert far.channel.quick_line() is None
    assert far.channel.line(later()) is Halt.CLOSED
    assert far.channel.quick_line() is None


def test_the_log_of_a_quick_bot_waits_in_its_pipe_and_none_of_it_is_lost(far):
    for _ in range(3):
        far.says(b"log", far.stderr).join()
        far.says(b"one\n").join()
        assert far.channel.quick_line() == b"one"
        far.channel.answered()
    assert far.log.text() == ""
    far.channel.collect_log()
    assert far.log.text() == "log" * 3


def test_a_silent_bot_is_waited_for_as_long_as_the_stopwatch_says(far):
    watch = WallWatch(80)
    assert far.channel.line(watch) is Halt.TIME
    assert 80 <= watch.charged_ms() < 2000


def test_a_half_line_at_the_end_is_no_line(far):
    far.says(b'{"id": "a"').join()
    far.close(far.stdout)
    assert far.channel.line(later()) is Halt.CLOSED


def test_what_was_printed_before_the_end_is_still_read(far):
    far.says(b"last words\n").join()
    far.close(far.stdout)
    far.close(far.stdin)
    far.channel.send(b"a question to nobody\n")
    assert far.channel.line(later()) == b"last words"
    assert far.channel.line(later()) is Halt.CLOSED


@pytest.mark.parametrize(("size", "allowed"), [(MAX_LINE_BYTES, True), (MAX_LINE_BYTES + 1, False)])
def test_a_line_may_have_64_KiB(far, size, allowed):
    thread = far.says(b"x" * size + b"\n")
    line = far.channel.line(later())
    thread.join()
    assert (line == b"x" * size) if allowed else (line is Halt.LONG_LINE)


def test_an_endless_line_is_cut_off_without_its_end(far):
    thread = far.says(b"x" * (MAX_LINE_BYTES + 2))
    assert far.channel.line(later()) is Halt.LONG_LINE
    thread.join()


def test_256_KiB_may_go_by_without_a_reply_and_not_a_byte_more(far):
    line = b"x" * 1023 + b"\n"
    count = MAX_UNANSWERED_BYTES // len(line)
    thread = far.says(line * count + b"\n")
    assert [far.channel.line(later()) for _ in range(count)] == [line[:-1]] * count
    assert far.channel.line(later()) is Halt.FLOOD
    thread.join()


def test_a_reply_begins_the_count_anew(far):
    line = b"x" * 1023 + b"\n"
    for _ in range(3):
        thread = far.says(line * 200)
        for _ in range(200):
            assert far.channel.line(later()) == line[:-1]
        thread.join()
        far.channel.answered()


def test_a_bot_that_does_not_read_holds_nobody_up(far):
    watch = WallWatch(60)
    far.channel.send(b"y" * 1_000_000)
    assert far.channel.line(watch) is Halt.TIME
    assert watch.charged_ms() < 2000


def test_a_bot_that_reads_slowly_gets_all_of_a_long_question(far):
    question = os.urandom(500_000)
    got = bytearray()

    def read():
        while len(got) < len(question):
            got.extend(os.read(far.stdin, 4096))
        os.write(far.stdout, b"thanks\n")

    thread = threading.Thread(target=read)
    thread.start()
    far.channel.send(question)
    assert far.channel.line(later()) == b"thanks"
    thread.join()
    assert got == question


def test_after_garbage_the_rest_of_it_is_dropped_and_half_a_line_stays(far):
    far.says(b'text\nmore text\n{"id"').join()
    assert far.channel.line(later()) == b"text"
    assert far.channel.settle(later()) is None
    far.says(b": 1}\n").join()
    assert far.channel.line(later()) == b'{"id": 1}'


def test_garbage_without_end_is_a_flood(far):
    thread = far.says(b"text\n" * 100_000)
    assert far.channel.line(later()) == b"text"
    assert far.channel.settle(later()) is Halt.FLOOD
    far.channel.close()
    thread.join()


def test_a_flood_that_waits_for_a_processor_is_a_flood(far):
    class Busy(WallWatch):
        """Of a bot that is let run when it is looked at for the third time."""

        looks = 0

        def wants_to_run(self):
            self.looks += 1
            if self.looks == 3:
                threads.append(far.says(b"text\n" * 100_000))
            return True

    threads = []
    far.says(b"text\n").join()
    assert far.channel.line(later()) == b"text"
    assert far.channel.settle(Busy(60_000)) is Halt.FLOOD
    far.channel.close()
    threads[0].join()


def test_after_garbage_nobody_is_waited_for_without_end(far):
    class Busy(WallWatch):
        def wants_to_run(self):
            return True

    far.says(b"text\n").join()
    watch = Busy(60_000)
    assert far.channel.line(watch) == b"text"
    assert far.channel.settle(watch) is None
    assert watch.left_ms() > 30_000


def test_a_log_is_read_while_a_reply_is_waited_for_so_that_it_never_holds_the_bot_up(far):
    thread = far.says(b"l" * 1_000_000, far.stderr)
    assert far.channel.line(WallWatch(500)) is Halt.TIME
    thread.join(5)
    assert not thread.is_alive()
    assert far.log.text().startswith("l" * 65536 + "\n[934464 more bytes")


def test_draining_ends_with_the_output(far):
    far.says(b"z" * 1000).join()
    far.close(far.stdout)
    watch = later()
    far.channel.drain(5)
    assert watch.charged_ms() < 1000
