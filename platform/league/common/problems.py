"""Every kind of error that the site answers with: one registry.

A code is stable: programs act by it. It is told in the answers (RFC 9457), described at
`/api/v1/problems/{code}/` and in docs/api.md, and in the OpenAPI document wherever it may occur. Whoever needs a new one adds a line; docs/api.md has the table, which a test compares.
"""
# ruff: noqa: E501

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Problem:
    """A kind of error.

    Attributes:
        status: the HTTP status, always the same.
        title: what is wrong, in general.
        advice: what would be right.
    """

    status: int
    title: str
    advice: str


P = Problem
# fmt: off
PROBLEMS: Mapping[str, Problem] = {
    # -- the request as such -------------------------------------------------------------------------------
    "bad_request": P(400, "The request can't be understood", "Send HTTP as it is meant, to this site's name."),
    "bad_json": P(400, "The body is no JSON", "Send JSON (RFC 8259) in UTF-8, nested no deeper than 16."),
    "bad_form": P(400, "The body is no form", "Send multipart/form-data with its boundary, short file names."),
    "not_found": P(404, "There is nothing here", "Check the address, to its last `/`; what you may not see is not there, too."),
    "method_not_allowed": P(405, "The method is not for this address", "Use one of those in `Allow`."),
    "not_acceptable": P(406, "The type asked for is not served", "Send `Accept: */*`, or what is documented."),
    "incomplete": P(408, "The body did not come in time", "Send it again; nothing was kept."),
    "length_required": P(411, "The length is missing", "Send Content-Length, not Transfer-Encoding."),
    "too_large": P(413, "It is longer than allowed", "Send less; `detail` tells how much is allowed."),
    "unsupported_media_type": P(415, "The body's type is not taken here", "Send the documented type."),
    # -- what was sent -------------------------------------------------------------------------------------
    "invalid": P(400, "A value is wrong", "`errors` has each wrong field, and what would be right."),
    "required": P(400, "A field is missing", "Send the field that is named."),
    "null": P(400, "A value may not be null", "Send a value, or leave the field out if it has a default."),
    "blank": P(400, "A text may not be empty", "Send at least one character."),
    "empty": P(400, "The file is empty", "Send one that has something in it."),
    "max_length": P(400, "A text is too long", "`detail` tells the most."),
    "min_length": P(400, "A text is too short", "`detail` tells the least."),
    "max_value": P(400, "A number is too large", "`detail` tells the most."),
    "min_value": P(400, "A number is too small", "`detail` tells the least."),
    "invalid_choice": P(400, "It is none of the choices", "The OpenAPI document has them."),
    "unknown_field": P(400, "There is no such field", "`detail` names those there are; check the spelling."),
    "bad_characters": P(400, "A character can't be stored", "Send no NUL and no lone surrogates."),
    "bad_number": P(400, "It is no number of the kind", "Send digits 0 to 9, within the bounds told."),
    "bad_name": P(400, "The name can't be shown safely", "1 to 40 visible characters, one a letter or digit."),
    # -- lists ---------------------------------------------------------------------------------------------
    "unknown_parameter": P(400, "There is no such parameter", "`detail` names those that this address takes."),
    "repeated_parameter": P(400, "A parameter is there twice", "Give each at most once."),
    "bad_ordering": P(400, "The list has no such order", "`detail` names the columns it can be ordered by."),
    "bad_cursor": P(400, "The cursor is not of this list", "Take it from `next` or `previous`, or begin anew."),
    # -- who asks ------------------------------------------------------------------------------------------
    "not_authenticated": P(401, "A token is needed", "Send `Authorization: Bearer TOKEN`."),
    "bad_token": P(401, "The token is not valid", "Log in again; it was revoked, has expired, or is mistyped."),
    "forbidden": P(403, "This is not allowed", "Ask somebody of the staff."),
    "scope_missing": P(403, "The token isn't good for this", "Take one that has the scope which `detail` names."),
    "bad_scope": P(400, "There is no such scope", "`detail` names those there are."),
    "not_yours": P(403, "It is somebody else's", "Ask its owner, or who organises it."),
    "bad_credentials": P(400, "Name and password don't match", "Check both; the answer doesn't tell which."),
    "weak_password": P(400, "The password is too weak", "`detail` tells what it lacks."),
    "throttled": P(429, "Too many requests", "Wait for the seconds that `Retry-After` tells."),
    "quota": P(429, "More than one user may have", "Try again when some of it is done; see `users/me`."),
    # -- writing safely -------------------------------------------------------------------------------------
    "bad_idempotency_key": P(400, "The Idempotency-Key is none", "1 to 200 visible ASCII characters, no space."),
    "idempotency_key_reused": P(422, "The key was used for another request", "Take a new key for a new request."),
    "idempotency_in_progress": P(409, "The first request is at work", "Send it again after `Retry-After`."),
    "idempotency_secret": P(409, "It was done, and the answer not kept", "Delete what was made, make it anew."),
    # -- the present state does not allow it ---------------------------------------------------------------
    "conflict": P(409, "The present state does not allow this", "Read it again; `state` tells the present one."),
    "wrong_state": P(409, "Its status does not allow this", "`state` has the status, and the actions it allows."),
    "not_over": P(409, "The tournament is not over", "Ask again when it is finished or cancelled."),
    "name_taken": P(409, "The name is taken", "Choose another; names that look alike are one name."),
    "not_active": P(409, "The version is not active", "Wait for its check, or take an active version."),
    "disqualified": P(409, "The version was disqualified here", "Enter a better version."),
    "bot_entered": P(409, "A version of the bot is entered", "Withdraw that one first."),
    "too_many_matches": P(409, "Too many matches for a report at once", "An operator can have it made."),
    "no_ranking": P(409, "The format has no order of its own", "Read the standings."),
    "not_a_duel": P(409, "The tournament is no duel", "Only a duel has a verdict; read the standings."),
    "too_few_boards": P(409, "Too few boards for a verdict", "`detail` tells how many it needs."),
    "not_a_ladder": P(409, "Only a ladder is told to end", "The others end by themselves; or cancel it."),
    "not_extendable": P(409, "The format takes no more boards", "Its rounds follow from results; make another."),
    "nothing_to_extend": P(409, "No group can play more", "Each has an entrant that is out; make another."),
    # -- tournaments: what can't be played -----------------------------------------------------------------
    "bad_rules": P(400, "The rules can't be played", "`field` names the option, `detail` what it may be."),
    "bad_options": P(400, "The format's options are wrong", "`field` names the option, `detail` what it may be."),
    "bad_boards": P(400, "So many boards can't be played", "`detail` tells how many can."),
    "unknown_format": P(400, "There is no such format", "`detail` names the formats there are."),
    "options_unfit": P(409, "The options don't fit the field", "`detail` tells why; change one or the other."),
    "not_entered": P(409, "Whom the options name is not entered", "Enter that version, or name another."),
    "too_few_entrants": P(409, "Too few entrants", "`detail` tells how many it needs."),
    "too_few_owners": P(409, "Too few owners", "`detail` tells how many; owners are kept apart if it is rated."),
    "too_many_entrants": P(409, "Too many entrants", "`detail` tells the most."),
    "too_many_tables": P(409, "Too many tables", "Fewer entrants, or a format that needs fewer tables."),
    "same_owner": P(409, "The duellists have one owner", "Make it unrated."),
    "no_clock": P(404, "The times of the match were not kept", "Matches played from now on have them."),
    "not_rated": P(404, "The version has no rating here", "It gets one when a block of its boards is complete."),
    # -- uploads: what is no package (docs/bots.md) --------------------------------------------------------
    "too_many_files": P(400, "Too many files", "`detail` tells how many may be sent."),
    "bad_flag": P(400, "The manifest asks for a flag that is not allowed", "`detail` names those that are."),
    "bad_manifest": P(400, "The manifest is wrong", "`detail` tells the line or key."),
    "broken_zip": P(400, "The archive can't be read", "Make the zip again, with any usual program."),
    "encrypted": P(400, "The archive is encrypted", "Make it without a password."),
    "long_path": P(400, "A path in the archive is too long", "`detail` tells the most."),
    "no_entry": P(400, "There is no program to start", "Name it main.py, or name it in the manifest."),
    "not_a_file": P(400, "The archive has more than files and folders", "Leave links and devices out."),
    "not_text": P(400, "The source is no UTF-8", "Save it as UTF-8."),
    "same_name": P(400, "Two paths in the archive are one", "Names that differ by case alone are one name."),
    "unknown_language": P(400, "The language is not known", "`detail` names those that are."),
    "unsafe_path": P(400, "A path leads out of the archive", "Only relative paths, without `..`."),
    # -- sittings ------------------------------------------------------------------------------------------
    "not_asked": P(409, "That is not what is asked", "Read the sitting again; `state` has the number of what is."),
    "illegal_answer": P(400, "The answer is not allowed", "`detail` names the bids or cards that are."),
    # -- webhooks ------------------------------------------------------------------------------------------
    "bad_url": P(400, "The URL can't be a webhook's", "Write https://HOST/PATH; no user, password or fragment."),
    "bad_port": P(400, "The port can't be a webhook's", "Use 443, 80, or one from 1024."),
    "not_https": P(400, "The URL is not https", "Begin it with https://."),
    "address_refused": P(400, "The host is not public", "Name a host that has public addresses, and no others."),
    "webhook_off": P(409, "The webhook is not active", "Switch it on: PATCH it with `active` true."),
    "webhook_blocked": P(409, "An operator has blocked the webhook", "Ask somebody of the staff."),
    # -- ours ----------------------------------------------------------------------------------------------
    "server_error": P(500, "Something went wrong on our side", "It has been noted; tell the `request_id`."),
    "unavailable": P(503, "The service is not available just now", "Try again after `Retry-After`."),
    "no_database": P(503, "The database does not answer", "Try again soon."),
    "no_broker": P(503, "The broker does not answer", "Try again soon."),
}
# fmt: on

#: What a bare status means, for answers that nobody gave a reason.
BY_STATUS: Mapping[int, str] = {
    400: "bad_request",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "incomplete",
    409: "conflict",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    429: "throttled",
    500: "server_error",
    503: "unavailable",
}


def bare(status: int) -> str:
    """The code of a bare status."""
    return BY_STATUS.get(status) or ("server_error" if status >= 500 else "bad_request")


def known(code: str, status: int) -> str:
    """The code, if it is registered with this status; else the status's own, and a line in the log.

    With settings.STRICT_PROBLEMS (in tests) raises LookupError for the latter.
    """
    problem = PROBLEMS.get(code)
    if problem is not None and problem.status == status:
        return code
    told = f"{code!r} is not registered in league.common.problems with status {status}"
    if settings.STRICT_PROBLEMS:
        raise LookupError(told)
    log.error("%s", told)
    return bare(status)
