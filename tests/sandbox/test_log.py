"""A bot's log is text that any database takes, and is cut with a word about it."""

from sandbox.log import BotLog


def test_bytes_that_are_no_text_become_text():
    log = BotLog()
    log.write(b"caf\xc3\xa9 \xff \x00 \xed\xa0\x80\n")
    text = log.text()
    assert "café" in text
    assert "\0" not in text
    assert text.encode("utf-8").decode("utf-8") == text


def test_the_beginning_is_kept_and_the_rest_is_counted():
    log = BotLog(keep_bytes=4)
    for chunk in (b"abc", b"def", b"g" * 1000):
        log.write(chunk)
    assert log.text() == "abcd\n[1002 more bytes were not kept]\n"


def test_taking_it_begins_a_new_one():
    log = BotLog(keep_bytes=4)
    log.write(b"abcdef")
    log.take()
    log.write(b"xy")
    assert log.take() == "xy"
    assert log.take() == ""
