"""What operators have: the admin, which shows everything and edits nothing, and commands."""

import pytest
from django.contrib import admin
from django.core.management import CommandError, call_command
from django.test import Client

from league.bots.models import Version
from league.common.lifecycle import StatusNote
from league.tournaments import workers
from league.tournaments.models import Board, Bye, Table
from league.tournaments.tables import claim_table, give_back_table
from sandbox import contract
from sandbox.backends import SandboxUnavailable
from tests.league import kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(db):
    """A browser of somebody who may do all that the admin allows."""
    user = kit.user("root", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(user)
    return browser


def played(ann):
    tournament, tables = kit.running(ann, boards=2)
    for table in tables:
        kit.play(table)
    kit.recompute(tournament.pool)
    claim = kit.bots.claim_version(kit.received(ann, "Other").pk)
    kit.bots.record_stage(claim, 1, kit.stage())
    Bye.objects.create(entrant=tournament.entrants.first(), round=1)
    workers.seen()
    return tournament


OURS = [model for model in admin.site._registry if model.__module__.startswith("league.")]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_model_is_shown_searched_and_neither_added_nor_deleted(model, operator, ann):
    played(ann)
    root = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    row = model.objects.first()
    assert operator.get(root).status_code == 200
    assert operator.get(root, {"q": "1"}).status_code == 200
    page = operator.get(f"{root}{row.pk}/change/")
    assert page.status_code == 200
    assert operator.post(f"{root}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    if model.__name__ != "User":
        assert operator.get(f"{root}add/").status_code == 403
        assert operator.post(f"{root}{row.pk}/change/", {}).status_code == 403
    assert type(row).objects.filter(pk=row.pk).exists()


def test_the_admin_shows_no_seed(operator, ann):
    played(ann)
    for board in Board.objects.all():
        for page in ("/admin/tournaments/board/", f"/admin/tournaments/board/{board.pk}/change/"):
            assert board.seed not in operator.get(page).content.decode()
    tournament = board.group.tournament
    page = operator.get(f"/admin/tournaments/tournament/{tournament.pk}/change/").content.decode()
    assert tournament.seed not in page
    match = kit.Match.objects.first()
    page = operator.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert match.board.seed not in page
    assert "polignac-record" not in page


def test_an_operator_puts_a_parked_table_back_and_it_is_noted_who(operator, ann):
    _, tables = kit.running(ann)
    for _ in range(3):
        give_back_table(claim_table(tables[0]), "disk_full: no")
    chosen = {"action": "retry", "_selected_action": tables}
    assert operator.post("/admin/tournaments/table/", chosen).status_code == 302
    assert Table.objects.get(pk=tables[0]).status == "queued"
    note = StatusNote.objects.get(kind="table", row=tables[0], old="parked")
    assert note.by.username == "root"


def test_the_command_counts_blocks_anew_and_with_check_only_compares(ann, capsys):
    played(ann)
    call_command("recount_blocks", "--check")
    wrong = Board.objects.first()
    Board.objects.filter(pk=wrong.pk).update(complete=False)
    with pytest.raises(CommandError, match="1 boards differ"):
        call_command("recount_blocks", "--check")
    call_command("recount_blocks")
    assert Board.objects.get(pk=wrong.pk).complete
    call_command("recount_blocks", "--check")
    assert f"board {wrong.pk} does not say" in capsys.readouterr().err


def test_an_operator_retires_a_version(operator, ann):
    version = kit.active(ann)
    operator.post("/admin/bots/version/", {"action": "retire", "_selected_action": [version.pk]})
    assert Version.objects.get().status == "retired"


def test_a_name_with_markup_is_inert_in_the_admin(operator, ann):
    kit.received(ann, "<img src=x onerror=1>")
    page = operator.get("/admin/bots/bot/").content.decode()
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page


def test_the_admin_is_closed_to_users(as_ann, ann):
    browser = Client()
    browser.force_login(ann)
    assert browser.get("/admin/").status_code == 302


def test_the_sandbox_check_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(
        "league.pipeline.management.commands.sandbox_check.examine",
        lambda _: [
            contract.Result("there_is_no_network", "it connected"),
            contract.Result("a_deadline_is_kept", ""),
        ],
    )
    monkeypatch.setattr(
        "league.pipeline.management.commands.sandbox_check.choose", lambda name: type("B", (), {"name": name})
    )
    with pytest.raises(CommandError, match="1 behaviour"):
        call_command("sandbox_check", "--sandbox", "docker")
    said = capsys.readouterr().out
    assert "there_is_no_network: it connected" in said
    assert "a_deadline_is_kept: ok" in said


def test_the_sandbox_check_says_why_there_is_none(monkeypatch):
    def none(_):
        raise SandboxUnavailable({"docker": "no engine answers"})

    monkeypatch.setattr("league.pipeline.management.commands.sandbox_check.choose", none)
    with pytest.raises(CommandError, match="no engine answers"):
        call_command("sandbox_check")
