"""Webhooks whose worker is killed, or whose receiver hangs: all arrives, each with its one id."""

import threading
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.utils import timezone

from league.pipeline.deliver import ping
from league.pipeline.reconcile import reconcile
from league.webhooks import services
from league.webhooks.models import Delivery
from tests.league import kit
from tests.support.receiver import receiver

pytestmark = [pytest.mark.slow, pytest.mark.redis, pytest.mark.django_db(transaction=True)]

HERE = "127.0.0.1"


def test_what_a_killed_worker_was_sending_is_sent_again_with_the_same_id_and_holds_nobody_up(
    start_worker, wait, settings
):
    settings.WEBHOOK_NETWORKS = [ip_network(HERE)]
    ann, bob = kit.user("ann"), kit.user("bob")
    killed = threading.Event()
    with receiver() as hanging, receiver() as quick:
        hanging.answers = [lambda connection: killed.wait(90)]
        hook, other = (
            services.create(user, there.url, ["*"]) for user, there in ((ann, hanging), (bob, quick))
        )
        chosen = {"queues": "default", "WEBHOOK_NETWORKS": HERE, "WEBHOOK_TIMEOUT_S": "60"}
        doomed = start_worker(**chosen)
        kit.active(ann)
        wait(lambda: hanging.requests, "it is being sent")
        kit.active(ann, "Other", "lowest")
        for number in range(1, 4):
            ping(other)
            wait(lambda so_many=number: len(quick.requests) == so_many, "another's arrives meanwhile")
            wait(lambda: not other.deliveries.exclude(status="delivered").exists(), "and is noted")
        doomed.kill()
        killed.set()
        assert sorted(hook.deliveries.values_list("status", flat=True)) == ["sending", "waiting"]
        start_worker(**chosen)
        reconcile(timezone.now() + timedelta(minutes=5))
        wait(lambda: not Delivery.objects.exclude(status="delivered").exists(), "all is delivered")
    sent = [(got.headers["Webhook-Id"], got.body) for got in hanging.requests]
    assert len(sent) == 3
    assert len(set(sent)) == 2
    assert sent.count(sent[0]) == 2
    assert sorted(hook.deliveries.values_list("attempt", flat=True)) == [1, 2]
