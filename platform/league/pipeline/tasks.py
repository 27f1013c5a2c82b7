"""The Celery tasks. Each takes an id and does what that row says: a message is only a nudge."""

from celery import shared_task

from league.pipeline import check, play, rate, reconcile


@shared_task(name="league.check_version")
def check_version(version_id: int) -> None:
    """Check an upload, if it waits for that."""
    check.check_version(version_id)


@shared_task(name="league.play_table")
def play_table(table_id: int) -> None:
    """Play a table, if it waits for that."""
    play.play_table(table_id)


@shared_task(name="league.rate_pool")
def rate_pool(pool_id: int) -> None:
    """Bring a pool's ratings up to date."""
    rate.rate_pool(pool_id)


@shared_task(name="league.reconcile", soft_time_limit=300, time_limit=330)
def reconcile_rows() -> None:
    """Once a minute: put right what messages, workers or the broker have lost."""
    reconcile.reconcile()
