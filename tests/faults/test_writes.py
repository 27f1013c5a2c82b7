"""A process of the site is killed within a write: repeated with its key, the write is done once."""

import signal
import subprocess
import sys

import pytest

from league.api.models import Answer
from league.bots.models import Bot
from tests.faults.machinery import ROOT, environment
from tests.league import kit

pytestmark = pytest.mark.django_db(transaction=True)

#: Makes a bot as a server's process does, and dies: after the work and before the end of its transaction, or
#: after that and before the answer is sent.
PROCESS = """
import os, signal
import django
django.setup()
from django.db import transaction
from rest_framework.test import APIClient
from league.api.views.bots import Bots

die = lambda: os.kill(os.getpid(), signal.SIGKILL)
whole = Bots.create

def deadly(view, request):
    answer = whole(view, request)
    if {when!r} == "before the commit":
        die()
    transaction.on_commit(die)
    return answer

Bots.create = deadly
api = APIClient(headers={{"Authorization": {token!r}, "Idempotency-Key": "once"}})
api.post("/api/v1/bots/", {{"name": "Heron"}}, format="json")
"""


@pytest.mark.parametrize(("when", "done"), [("before the commit", 0), ("after the commit", 1)])
def test_a_write_in_which_the_process_is_killed_is_done_once_when_it_is_repeated(when, done, settings):
    ann = kit.user("ann")
    api = kit.client(ann)
    script = PROCESS.format(when=when, token=api._credentials["HTTP_AUTHORIZATION"])
    told = environment(settings.DATA_DIR)
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=told, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert (Bot.objects.count(), Answer.objects.count()) == (done, done), "both, or neither"
    answers = [api.post("/api/v1/bots/", {"name": "Heron"}, HTTP_IDEMPOTENCY_KEY="once") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert answers[0].json()["id"] == Bot.objects.get().pk
    assert ("Idempotency-Replayed" in answers[0].headers) == bool(done)
