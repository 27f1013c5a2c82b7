"""A request's id: in its answer, in what is logged for it, and in the messages that it sends."""

import logging
import re

import pytest
from asgiref.sync import async_to_sync
from celery import current_app
from celery.app.trace import trace_task
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import AsyncClient

from league.celery import app
from league.common import request_id
from league.pipeline.queue import CHECK
from sandbox.reference import reference_package
from tests.league import kit

pytestmark = pytest.mark.django_db


def stamped(record):
    """The line's id, as the format gets it."""
    request_id.Stamp().filter(record)
    return record.request_id


@pytest.mark.parametrize("address", ["/", "/api/v1/bots/", "/api/v1/nothing/", "/static/nothing"])
def test_every_answer_has_an_id_of_ours(anybody, address):
    answers = [anybody.get(address, HTTP_X_REQUEST_ID="mine-mine-mine") for _ in range(2)]
    first, second = (answer.headers["X-Request-ID"] for answer in answers)
    assert re.fullmatch("[0-9a-f]{16}", first)
    assert first != second


def test_it_has_one_on_an_asynchronous_server_too():
    answer = async_to_sync(AsyncClient().get)("/api/v1/problems/not_found/")
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-ID"])


def test_what_is_logged_for_a_request_has_its_id_and_each_request_a_line(anybody):
    lines = []

    class Kept(logging.Handler):
        def emit(self, record):
            lines.append((record.name, record.getMessage(), stamped(record)))

    root, handler = logging.getLogger(), Kept()
    root.addHandler(handler)
    try:
        answer = anybody.get("/api/v1/n\u00f6thing%0A/?secret=1")
    finally:
        root.removeHandler(handler)
    made = answer.headers["X-Request-ID"]
    assert {line[2] for line in lines} == {made}
    access = next(text for name, text, _ in lines if name == "league.access")
    assert re.fullmatch(r"GET /api/v1/n%C3%B6thing%0A/ 404 \d+ ms", access)


def test_a_message_carries_the_id_of_the_request_that_sent_it(
    as_ann, ann, django_capture_on_commit_callbacks
):
    bot = kit.received(ann).bot
    with current_app.connection_for_write() as broker:
        queue = broker.SimpleQueue(app.amqp.queues["play"])
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            file = SimpleUploadedFile("lowest.zip", reference_package("lowest").to_zip())
            answer = as_ann.post(f"/api/v1/bots/{bot.pk}/versions/", {"file": file}, format="multipart")
        assert answer.status_code == 201
        message = queue.get(timeout=5)
        message.ack()
        queue.close()
    assert message.headers["task"] == CHECK
    assert message.headers["request_id"] == answer.headers["X-Request-ID"]


@app.task(name="tests.noted")
def noted():
    """Gives the id that its log lines have."""
    return stamped(logging.makeLogRecord({}))


@pytest.mark.parametrize(
    ("headers", "logged"), [({"request_id": "0123456789abcdef"}, "0123456789abcdef"), ({}, "-")]
)
def test_what_a_task_logs_has_the_id_that_its_message_carries(headers, logged):
    request_id.begin("another")
    traced = trace_task(noted, "1", [], {}, app=app, request={"id": "1", **headers})
    assert traced.retval == logged
