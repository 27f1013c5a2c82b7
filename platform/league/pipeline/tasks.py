"""The Celery tasks: a message is only a nudge, what is to be done the rows say."""

from celery import shared_task

from league.pipeline import check, deliver, play, queue, rate, reconcile, sit


@shared_task(name="league.check_version")
def check_version(version_id: int) -> None:
    """Check an upload, if it waits for that; its message may have kept a call for a table from being sent."""
    check.check_version(version_id)
    queue.call_players()


@shared_task(name="league.play_table")
def play_table(*_: object) -> None:
    """Play the table that is next, if any waits."""
    play.play_next()


@shared_task(name="league.rate_sheet")
def rate_sheet(sheet_id: int) -> None:
    """Bring the sheet of a pool or a tournament up to date."""
    rate.rate_sheet(sheet_id)


@shared_task(name="league.sit")
def hold_sitting(sitting_id: int) -> None:
    """Play a sitting with its person, if it waits for that; or what is left to do of it."""
    sit.sit(sitting_id)


# Longer than an attempt may take (WEBHOOK_TIMEOUT_S): only what hangs is ended so, and given back later.
@shared_task(name="league.deliver_next", soft_time_limit=300, time_limit=330)
def deliver_next(webhook_id: int) -> None:
    """Send a webhook what is next for it, if anything is due."""
    deliver.deliver_next(webhook_id)


@shared_task(name="league.reconcile", soft_time_limit=300, time_limit=330)
def reconcile_rows() -> None:
    """Once a minute: put right what messages, workers or the broker have lost."""
    reconcile.reconcile()
