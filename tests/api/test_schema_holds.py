"""Whatever is asked, by whoever: no crash, and no answer that the OpenAPI document doesn't tell.

Schemathesis makes the requests from that document, right ones and wrong ones, and checks the answers.
"""

import os

import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import GenerationConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from tests.api.world import ROLES

#: Requests for each operation and kind (right, wrong). Among more there is more to find: POLIGNAC_FUZZ=100.
EXAMPLES = int(os.environ.get("POLIGNAC_FUZZ", "3"))
CHECKS = (
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
)
STEADY = hypothesis.settings(
    phases=[Phase.generate],
    database=None,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
#: What doesn't hold for an operation, and why.
EXCEPT = {
    "health": not_a_server_error,  # no broker in this test: 503, and the document tells so
}
#: Their schema is that of the whole stream, and schemathesis compares single events.
STREAM = "text/event-stream"


@pytest.fixture
def schema(site):
    """The document as the site serves it."""
    config = schemathesis.Config(seed=1)
    config.projects.default.generation = GenerationConfig(deterministic=True, with_security_parameters=False)
    return schemathesis.openapi.from_url(
        f"{site}/api/v1/schema/", headers={"Accept": "application/json"}, config=config
    )


def requests_for(operation, world):
    """Right requests about each row that there is, and wrong ones; with how many there are to be."""
    places = world.places(operation.path)
    for place in places or [None]:
        right = operation.as_strategy(GenerationMode.POSITIVE, path_parameters=place)
        yield right, max(2, EXAMPLES // len(places or [None]))
    wrong = [
        operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=place) for place in [*places, None]
    ]
    yield st.one_of(wrong), EXAMPLES


def checks_of(case, answer):
    """What must hold for that answer."""
    streams = answer.headers.get("content-type", [""])[0].startswith(STREAM)
    for check in CHECKS:
        if EXCEPT.get(case.operation.definition.raw["operationId"]) is check:
            continue
        if not (streams and check is checks.response_schema_conformance):
            yield check


@pytest.mark.parametrize("role", ROLES)
def test_every_answer_is_as_the_schema_tells(schema, site, world, role):
    headers, wrong = world.headers(role), []
    with requests.Session() as session:
        session.trust_env = False  # no proxy, and no look for a password in files, for each request

        def ask(cases, count):
            @hypothesis.settings(STEADY, max_examples=count)
            @given(case=cases)
            def once(case):
                answer = case.call(site, session, headers)
                case.validate_response(answer, list(checks_of(case, answer)), headers=headers)

            once()

        for operation in (found.ok() for found in schema.get_all_operations()):
            for cases, count in requests_for(operation, world):
                try:
                    ask(cases, count)
                except Unsatisfiable:
                    pass  # a request without a parameter or a body can't be wrong
                except (Exception, FailureGroup) as error:
                    wrong.append(f"{operation.label}: {error}")
    assert not wrong, f"{len(wrong)} of them, as {role}:\n\n" + "\n".join(wrong)
