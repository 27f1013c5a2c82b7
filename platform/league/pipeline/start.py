"""What lets tables be played: the services write it, then the play workers are called."""

from league.accounts.models import User
from league.bots.models import Version
from league.pipeline.queue import call_players
from league.tournaments import leaving, services, steering
from league.tournaments.advancing import advance
from league.tournaments.models import Entrant, Table, Tournament
from league.tournaments.tables import retry_table


def start_tournament(tournament: Tournament, by: User) -> Tournament:
    """Plan the first round in one transaction, and have its tables played. Harmless when repeated."""
    started, _ = services.start(tournament, by)
    call_players()
    return started


def resume_tournament(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Go on after a pause. Harmless when repeated."""
    return _go_on(steering.resume(tournament, by, why))


def extend_tournament(tournament: Tournament, boards: int, by: User) -> Tournament:
    """Have every group play so many boards in all. Harmless when repeated."""
    return _go_on(steering.extend(tournament, boards, by))


def finish_tournament(tournament: Tournament, by: User) -> Tournament:
    """Tell a ladder to end. Harmless when repeated."""
    return _go_on(steering.finish(tournament, by))


def replay_tables(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Have its parked tables played again. Harmless when repeated."""
    return _go_on(steering.replay(tournament, by, why))


def enter(tournament: Tournament, version: Version, by: User) -> tuple[Entrant, bool]:
    """Enter a version, and tell whether it is new; a ladder that waited for it goes on."""
    entrant, new = services.enter(tournament, version, by)
    _go_on(entrant.tournament)
    return entrant, new


def withdraw(entrant: Entrant, by: User, why: str = "") -> None:
    """Take an entry back; where that was the last that a round waited for, it goes on."""
    services.withdraw(entrant, by, why)
    _go_on(entrant.tournament)


def disqualify(entrant: Entrant, by: User, why: str) -> None:
    """Put an entrant out; a round that waited for it goes on."""
    leaving.disqualify(entrant, by, why)
    _go_on(entrant.tournament)


def disqualify_version(version: Version, by: User, why: str) -> None:
    """Bar a version from all tournaments; rounds that waited for it go on."""
    for tournament in leaving.disqualify_version(version, by, why):
        _go_on(tournament)


def retry(table: Table, by: User | None = None, why: str = "") -> Table:
    """Have a parked table played again."""
    table = retry_table(table, by=by, why=why)
    call_players()
    return table


def _go_on(tournament: Tournament) -> Tournament:
    advance(tournament)
    tournament.refresh_from_db()
    call_players()
    return tournament
