"""What a site refuses, or does not answer: a problem of RFC 9457, as an exception."""

import email.utils
from datetime import UTC, datetime
from typing import Any

import requests

Json = dict[str, Any]


class ApiError(Exception):
    """The site refused a request, or did not answer.

    Attributes:
        status: the HTTP status; 0 where there was no answer.
        code: the API's stable name for it; `unreachable` where there was no answer.
        message: its sentence, which says what would be right.
        field: what it is about, or `None`.
        errors: each single error, where there are several.
        retry_after_s: after how many seconds it wants to be asked again, if it says so.
        request_id: by which whoever runs the site finds in the log what happened.
        state: of a conflict: how what was asked about is at present.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        field: str | None = None,
        errors: list[Json] | None = None,
        *,
        retry_after_s: float | None = None,
        request_id: str | None = None,
        state: Json | None = None,
    ) -> None:
        super().__init__(f"{field}: {message} ({code})" if field else f"{message} ({code})")
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.errors = errors or []
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.state = state

    @property
    def document(self) -> Json:
        """As the API has it (RFC 9457); where there was no answer, status 0."""
        known = {"status": self.status, "code": self.code, "field": self.field, "detail": self.message}
        return {**known, "errors": self.errors, "request_id": self.request_id, "state": self.state}

    @property
    def later(self) -> bool:
        """Whether the same request may well succeed soon; where a quota is used up it will not."""
        return (self.status in {429, 503} and self.code != "quota") or self.code == "unreachable"


def is_json(response: requests.Response) -> bool:
    """Whether an answer is JSON."""
    try:
        response.json()
    except ValueError:
        return False
    return True


def refusal(response: requests.Response) -> ApiError:
    """What an answer that is no success says; an answer that is not the API's own says only its status."""
    status, wait_s = response.status_code, retry_after(response.headers.get("Retry-After"))
    try:
        body = response.json()
        return ApiError(
            status,
            body["code"],
            body["detail"],
            body["field"],
            body["errors"],
            retry_after_s=wait_s,
            request_id=body["request_id"],
            state=body.get("state"),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        told = response.headers.get("X-Request-ID")
        reason = f"HTTP {status} {response.reason}"
        return ApiError(status, "not_the_api", reason, retry_after_s=wait_s, request_id=told)


def retry_after(header: str | None) -> float | None:
    """The seconds that a `Retry-After` asks for; it may be a date, too. None for none, or nonsense."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        until = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
