"""What operators do in the admin: asked why, done by the services, noted with who and why, and undone."""

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages

from league.bots.models import Version
from league.common.deeds import ROWS_MAX, WHY_MAX
from league.common.errors import Conflict, Lost
from league.common.lifecycle import StatusNote
from league.matches.models import Match
from league.tournaments import services as tournaments
from league.tournaments.models import Entrant, Table, Tournament
from league.tournaments.tables import claim_table, give_back_table
from league.webhooks.models import Delivery, Webhook
from tests.league import filled, kit
from tests.league.test_operators_lists import browser_of, operator, page, staff  # noqa: F401

pytestmark = pytest.mark.django_db

WHY = "It plays for somebody else"


def do(browser, name, *rows, why=WHY, **more):
    """Do a deed to rows, on the page that asks why; gives what is told above the list."""
    given = {"action": name, "_selected_action": [row.pk for row in rows], "why": why, **more}
    answer = browser.post(page(type(rows[0])), given)
    assert answer.status_code == 302, answer.content.decode()
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


def noted(kind, row, old, new):
    """The note of who moved it and why."""
    note = StatusNote.objects.get(kind=kind, row=row.pk, old=old, new=new)
    return note.by.username, note.text


def parked_table(tables):
    for _ in range(3):
        give_back_table(claim_table(tables[0]), "disk_full: no")
    return Table.objects.get(pk=tables[0])


def test_a_deed_says_what_it_does_and_asks_why_before_anything_is_done(operator, ann):  # noqa: F811
    version = kit.active(ann)
    for why in (None, "", "   ", "x" * (WHY_MAX + 1), "\x00"):
        given = {"action": "disqualify", "_selected_action": version.pk}
        answer = operator.post(page(Version), given if why is None else {**given, "why": why})
        shown = answer.content.decode()
        assert answer.status_code == 200
        assert "“Enable” undoes it" in shown
        assert "Dodger#1" in shown
        assert ('class="errorlist"' in shown) is (why is not None)
        version.refresh_from_db()
        assert version.status == "active"
    assert not LogEntry.objects.exists()


def test_every_deed_says_what_it_does_and_how_it_is_undone_and_takes_no_more_rows_than_fit(operator, ann):  # noqa: F811
    filled.some(ann)
    for model, shown in admin.site._registry.items():
        deeds = getattr(shown, "deeds", ())
        assert len({deed.name for deed in deeds}) == len(deeds)
        for deed in deeds:
            undo = ("undoes it", "undone", "parked again", "may be made again", "As “Withdraw”")
            assert any(words in deed.effect for words in undo), f"{model.__name__}: {deed.name}"
            given = {"action": deed.name, "_selected_action": model.objects.first().pk}
            assert deed.label in operator.post(page(model), given).content.decode()
    given = {"action": "retire", "select_across": "1", "_selected_action": 1, "why": WHY}
    version = Version.objects.first()
    twins = [
        Version(bot=version.bot, number=i, digest="d", language="python", size_bytes=1) for i in range(7, 60)
    ]
    Version.objects.bulk_create(twins)
    answer = operator.post(page(Version), given)
    assert f"At most {ROWS_MAX} rows" in " ".join(map(str, get_messages(answer.wsgi_request)))
    assert not Version.objects.filter(status="retired").exists()


def test_parked_tables_are_played_again_and_the_others_are_refused_in_the_services_words(operator, ann):  # noqa: F811
    _, tables = kit.running(ann)
    parked, queued = parked_table(tables), Table.objects.get(pk=tables[1])
    told = do(operator, "retry", parked, queued)
    assert f"{parked}: done" in told
    assert f"{queued}: refused. This table is queued; it can't become queued." in told
    parked.refresh_from_db()
    assert (parked.status, parked.attempt) == ("queued", 0)
    assert noted("table", parked, "parked", "queued") == ("root", WHY)
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_id) == ("root", str(parked.pk))
    assert entry.get_change_message() == f"Play parked tables again: {WHY}"
    assert WHY in operator.get(page(Table, "history", parked.pk)).content.decode()


def test_a_deed_sent_twice_is_done_once(operator, ann):  # noqa: F811
    _, tables = kit.running(ann)
    parked = parked_table(tables)
    assert "done" in do(operator, "retry", parked)
    assert "refused" in do(operator, "retry", parked)
    given = {"action": "retry", "_selected_action": parked.pk, "why": WHY}
    answer = operator.post(page(Table) + "?status__exact=parked", given)
    assert "None of the chosen rows" in " ".join(map(str, get_messages(answer.wsgi_request)))
    assert StatusNote.objects.filter(kind="table", row=parked.pk, old="parked").count() == 1
    assert LogEntry.objects.count() == 1


def test_a_parked_version_is_checked_again(operator, ann):  # noqa: F811
    version = kit.received(ann)
    for _ in range(3):
        kit.bots.give_back_version(kit.bots.claim_version(version.pk), "no_sandbox: none")
    do(operator, "recheck", version)
    version.refresh_from_db()
    assert (version.status, version.attempt) == ("received", 0)
    assert noted("version", version, "parked", "received") == ("root", WHY)
    assert "refused" in do(operator, "recheck", version)


def test_a_version_is_retired_and_plays_what_it_has_entered(operator, ann):  # noqa: F811
    tournament, _ = kit.running(ann)
    version = tournament.entrants.first().version
    do(operator, "retire", version)
    assert noted("version", version, "active", "retired") == ("root", WHY)
    assert set(Entrant.objects.values_list("status", flat=True)) == {"entered"}
    assert "refused" in do(operator, "enable", version)


def test_a_disqualified_version_is_out_everywhere_and_its_results_stay(operator, ann):  # noqa: F811
    over, _ = kit.running(ann, name="Over")
    over = kit.play_all(over)
    version = over.entrants.first().version
    going, upcoming = kit.open_tournament(ann, "Going"), kit.open_tournament(ann, "Upcoming")
    for entrant in over.entrants.all():
        tournaments.enter(going, entrant.version, entrant.bot.owner)
    tournaments.enter(upcoming, version, ann)
    tournaments.start(going, ann)
    played = Match.objects.count()
    told = do(operator, "disqualify", version)
    assert "done" in told
    assert not upcoming.entrants.exists()
    assert going.entrants.get(version=version).status == "disqualified"
    assert over.entrants.get(version=version).status == "entered"
    assert noted("version", version, "active", "disqualified") == ("root", WHY)
    assert noted("entrant", going.entrants.get(version=version), "entered", "disqualified") == ("root", WHY)
    assert not Table.objects.filter(tournament=going, status="queued").exists()
    going.refresh_from_db()
    assert going.status == "finished"
    assert Match.objects.count() == played
    with pytest.raises(Conflict, match="disqualified"):  # though `version` was read before
        tournaments.enter(upcoming, version, ann)
    assert kit.client(ann).get(f"/api/v1/versions/{version.pk}/").json()["reason"] == WHY


def test_a_version_disqualified_in_mid_match_loses_the_table_and_nobody_else_anything(operator, ann):  # noqa: F811
    cup, tables = kit.running(ann, entrants=4)
    claim, versions, results = kit.played(tables[0])
    do(operator, "disqualify", Version.objects.get(pk=versions[0]))
    with pytest.raises(Lost):
        kit.store_table(claim, versions, results)
    assert not Match.objects.exists()
    cup = kit.play_all(cup)
    assert cup.status == "finished"
    assert Match.objects.count() == 3
    assert not Match.objects.filter(seats__version=versions[0]).exists()


def test_enabling_a_version_undoes_it_for_what_is_to_come(operator, ann):  # noqa: F811
    ladder, _ = kit.running(ann, more={"format": "ladder"})
    cup = kit.open_tournament(ann, "Next")
    version = ladder.entrants.first().version
    for _ in range(2):
        assert "done" in do(operator, "disqualify", version)
    assert "done" in do(operator, "enable", version)
    version.refresh_from_db()
    assert (version.status, version.reason, version.reason_code) == ("active", "", "")
    assert noted("version", version, "disqualified", "active") == ("root", WHY)
    assert tournaments.enter(cup, version, ann)[1]
    with pytest.raises(Conflict, match="disqualified here"):
        tournaments.enter(ladder, version, ann)


def test_a_version_that_never_was_active_is_neither_disqualified_nor_enabled(operator, ann):  # noqa: F811
    version = kit.received(ann)
    for deed in ("disqualify", "enable"):
        assert "This version is received" in do(operator, deed, version)
    version.refresh_from_db()
    assert version.status == "received"


def test_a_tournament_is_paused_resumed_replayed_and_cancelled(operator, ann):  # noqa: F811
    cup, tables = kit.running(ann)
    parked = parked_table(tables)
    for deed, old, new in (("pause", "running", "paused"), ("resume", "paused", "running")):
        do(operator, deed, cup)
        assert noted("tournament", cup, old, new) == ("root", WHY)
    do(operator, "replay", cup)
    parked.refresh_from_db()
    assert parked.status == "queued"
    assert (
        StatusNote.objects.get(kind="table", row=parked.pk, old="parked").text == f"replayed for root: {WHY}"
    )
    for _ in range(2):
        assert "done" in do(operator, "cancel", cup)
    assert noted("tournament", cup, "running", "cancelled") == ("root", WHY)
    assert Tournament.objects.get().status == "cancelled"
    assert "refused. The tournament is cancelled" in do(operator, "replay", cup)


@pytest.mark.parametrize(("deed", "status"), [("withdraw", "withdrawn"), ("disqualify", "disqualified")])
def test_an_entrant_is_put_out_of_one_tournament(operator, ann, deed, status):  # noqa: F811
    cup, _ = kit.running(ann, entrants=4)
    entrant = cup.entrants.first()
    for _ in range(2):
        assert "done" in do(operator, deed, entrant)
    assert noted("entrant", entrant, "entered", status) == ("root", WHY)
    assert Table.objects.filter(seats__entrant=entrant, status="queued").count() == 0
    assert Table.objects.filter(tournament=cup, status="queued").exists()
    entrant.version.refresh_from_db()
    assert entrant.version.status == "active"
    upcoming = kit.open_tournament(ann, "Upcoming")
    entry, _ = tournaments.enter(upcoming, entrant.version, ann)
    do(operator, deed, entry)
    assert not upcoming.entrants.exists()
    assert "refused" in do(operator, deed, kit.play_all(cup).entrants.last())


def test_a_webhook_is_blocked_and_enabled_and_a_delivery_sent_again(operator, ann):  # noqa: F811
    hook = Webhook.objects.create(owner=ann, url="https://example.org/x", events=["*"], salt="s")
    sent = Delivery.objects.create(webhook=hook, event_id="e", type="ping", body="{}", status="delivered")
    for _ in range(2):
        assert "done" in do(operator, "redeliver", sent)
    assert noted("delivery", sent, "delivered", "waiting") == ("root", WHY)
    do(operator, "block", hook)
    assert noted("webhook", hook, "active", "blocked") == ("root", WHY)
    assert "refused. This webhook is blocked" in do(operator, "redeliver", sent)
    do(operator, "enable", hook)
    assert noted("webhook", hook, "blocked", "active") == ("root", WHY)


def test_only_those_who_may_change_such_rows_may_act_on_them(ann):
    version = kit.active(ann)
    looker, doer = staff("view_version"), staff("view_version", "change_version", name="doer")
    given = {"action": "retire", "_selected_action": version.pk, "why": WHY}
    assert "Retire" not in looker.get(page(Version)).content.decode()
    looker.post(page(Version), given)
    assert Version.objects.get().status == "active"
    assert staff(name="nobody").post(page(Version), given).status_code == 403
    assert "Retire" in doer.get(page(Version)).content.decode()
    doer.post(page(Version), given)
    assert noted("version", version, "active", "retired") == ("doer", WHY)
    assert doer.get(page(Table)).status_code == 403


def test_a_page_of_another_site_does_nothing(ann):
    version = kit.active(ann)
    browser = browser_of(kit.user("root", is_staff=True, is_superuser=True))
    browser.handler.enforce_csrf_checks = True
    given = {"action": "retire", "_selected_action": version.pk, "why": WHY}
    assert browser.post(page(Version), given).status_code == 403
    assert Version.objects.get().status == "active"
