"""`polignac webhook …`: have a server of one's own told what happens."""

import argparse
from itertools import islice

from client.api import Json
from client.arguments import OK, whole_number
from client.server.connection import Site, at_server
from client.server.output import Column, when
from client.webhooks import Webhooks

_WEBHOOK = (
    Column("id", "id", right=True),
    Column("address", "url"),
    Column("events", lambda row: " ".join(row["events"])),
    Column("status", "status"),
    Column("failures", "failures", right=True),
    Column("why", "reason"),
)
_DELIVERY = (
    Column("id", "id", right=True),
    Column("event", "type"),
    Column("status", "status"),
    Column("tries", "attempts", right=True),
    Column("answer", "response_code", right=True),
    Column("ms", "duration_ms", right=True),
    Column("since", lambda row: when(row["created_at"])),
    Column("next", lambda row: when(row["next_at"])),
    Column("why", "failure"),
)


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def _one(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("webhook", type=whole_number, metavar="WEBHOOK", help="a webhook of yours, by id")


def _list(site: Site, options: argparse.Namespace) -> int:
    site.out.rows(list(Webhooks(site.api).all()), _WEBHOOK, "no webhooks yet: polignac webhook add URL")
    return OK


LIST = at_server(_nothing, _list, "examples:\n  polignac webhook list\n")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="where to send: https, and a host with public addresses")
    parser.add_argument(
        "--event",
        action="append",
        metavar="TYPE",
        help="a type of events, version.active say; again for more (default: all)",
    )


def _add(site: Site, options: argparse.Namespace) -> int:
    made = Webhooks(site.api).add(options.url, options.event)
    site.out.document(made)
    site.out.say(f"Webhook {made['id']} tells {made['url']}: {' '.join(made['events'])}")
    return _secret(site, made)


def _secret(site: Site, webhook: Json) -> int:
    site.out.say(f"Its secret, which is shown this once: {webhook['secret']}")
    return OK


ADD = at_server(
    _add_arguments,
    _add,
    """\
Each event is a POST with JSON, signed with the secret as standardwebhooks.com has it.

examples:
  polignac webhook add https://ci.example/polignac
  polignac webhook add https://ci.example/polignac --event version.active --event version.rejected
""",
)


def _remove(site: Site, options: argparse.Namespace) -> int:
    Webhooks(site.api).remove(options.webhook)
    site.out.document({})
    site.out.say(f"Webhook {options.webhook} is gone, and its log.")
    return OK


REMOVE = at_server(_one, _remove, "examples:\n  polignac webhook remove 3\n")


def _pause(site: Site, options: argparse.Namespace) -> int:
    return _told(site, Webhooks(site.api).change(options.webhook, active=False))


def _resume(site: Site, options: argparse.Namespace) -> int:
    return _told(site, Webhooks(site.api).change(options.webhook, active=True))


def _told(site: Site, webhook: Json) -> int:
    site.out.document(webhook)
    site.out.say(f"Webhook {webhook['id']} is {webhook['status']}.")
    return OK


PAUSE = at_server(_one, _pause, "examples:\n  polignac webhook pause 3\n")
RESUME = at_server(
    _one,
    _resume,
    "Also one that was disabled. What happened meanwhile is not told; its log can be sent again.\n\n"
    "examples:\n  polignac webhook resume 3\n",
)


def _rotate(site: Site, options: argparse.Namespace) -> int:
    webhook = Webhooks(site.api).rotate(options.webhook)
    site.out.document(webhook)
    return _secret(site, webhook)


ROTATE = at_server(
    _one,
    _rotate,
    "For a day what is sent is signed with the old secret, too.\n\nexamples:\n  polignac webhook rotate 3\n",
)


def _ping(site: Site, options: argparse.Namespace) -> int:
    return _sent(site, options.webhook, Webhooks(site.api).ping(options.webhook))


def _sent(site: Site, webhook: int, delivery: Json) -> int:
    site.out.document(delivery)
    site.out.say(f"Delivery {delivery['id']} ({delivery['type']}) is {delivery['status']}.")
    site.out.say(f"  polignac webhook log {webhook}")
    return OK


PING = at_server(_one, _ping, "examples:\n  polignac webhook ping 3\n")


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    parser.add_argument("--status", choices=("waiting", "sending", "delivered", "failed"), help="only those")
    parser.add_argument("--event", metavar="TYPE", help="only those of a type of events")
    parser.add_argument(
        "--last", type=whole_number, default=20, metavar="N", help="so many, the newest first (default 20)"
    )


def _log(site: Site, options: argparse.Namespace) -> int:
    asked = {"status": options.status, "type": options.event}
    query = {key: value for key, value in asked.items() if value}
    rows = islice(Webhooks(site.api).log(options.webhook, **query), options.last)
    site.out.rows(list(rows), _DELIVERY, "nothing was sent to it")
    return OK


LOG = at_server(
    _log_arguments,
    _log,
    "examples:\n  polignac webhook log 3\n  polignac webhook log 3 --status failed --last 100 --json\n",
)


def _redeliver_arguments(parser: argparse.ArgumentParser) -> None:
    _one(parser)
    parser.add_argument("delivery", type=whole_number, metavar="DELIVERY", help="by its id in the log")


def _redeliver(site: Site, options: argparse.Namespace) -> int:
    again = Webhooks(site.api).redeliver(options.webhook, options.delivery)
    return _sent(site, options.webhook, again)


REDELIVER = at_server(
    _redeliver_arguments,
    _redeliver,
    "The same bytes with the same id.\n\nexamples:\n  polignac webhook redeliver 3 1207\n",
)
