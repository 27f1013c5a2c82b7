"""What a request set off is found by its id: from the answer to a worker's log, as production runs them."""

import http.client

import pytest

from league.webhooks import services
from tests.league import kit

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]


def test_an_answer_the_sites_lines_and_a_workers_have_the_same_id(start_worker, start_site, broker, wait):
    worker, site = start_worker(queues="default"), start_site(REDIS_URL=broker.url)
    ann = kit.user("ann")
    token = kit.client(ann)._credentials["HTTP_AUTHORIZATION"]
    hook = services.create(ann, "https://1.1.1.1/", ["*"])
    hook.url = "https://127.0.0.1:9/"  # nothing inside is reached, and nothing outside need be
    hook.save()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    path = f"/api/v1/webhooks/{hook.pk}/ping/"
    connection.request("POST", path, headers={"Authorization": token, "Content-Length": "0"})
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 202
    made = answer.headers["X-Request-ID"]
    wait(lambda: f"league.access [{made}] POST {path} 202" in site.log.read_text(), "the site has a line")
    wait(
        lambda: any(
            f"[{made}]" in line and "succeeded" in line for line in worker.log.read_text().splitlines()
        ),
        "the worker's line about the task has it, too",
    )
