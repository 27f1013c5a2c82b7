"""The admin shows every model: all that is there, no secrets, nothing to delete, in lists that stay cheap."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection, models
from django.db.models.deletion import CASCADE
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.accounts.models import Token, User
from league.matches.models import Match
from league.sittings.models import Sitting
from league.tournaments.models import Board, Tournament
from league.webhooks.models import Webhook
from tests.league import filled, kit

pytestmark = pytest.mark.django_db

SHOWN = dict(admin.site._registry)
OURS = [model for model in SHOWN if model.__module__.startswith("league.")]
#: Who has accounts and who is of the staff is the operators' to change; nothing else is edited.
EDITED = {"accounts.User", "auth.Group"}


@pytest.fixture
def operator(db):
    """A browser of somebody who may do all that the admin allows."""
    return browser_of(kit.user("root", is_staff=True, is_superuser=True))


def browser_of(user):
    browser = Client(raise_request_exception=False)
    browser.force_login(user)
    return browser


def staff(*permissions, name="clerk"):
    """Somebody of the staff with these permissions, who is no superuser."""
    user = kit.user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return browser_of(user)


def page(model, name="changelist", *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def pages(model):
    """Every page about a model's first row."""
    row = model.objects.order_by("pk").first()
    return [page(model), page(model, "change", row.pk), page(model, "history", row.pk)]


def test_every_model_of_the_league_is_in_the_admin():
    league = [model for model in apps.get_models() if model.__module__.startswith("league.")]
    assert not [model.__name__ for model in league if model not in SHOWN]
    assert len(league) >= 20


def test_every_model_is_shown_searched_and_filtered_and_nothing_is_added_or_deleted(operator, ann):
    filled.some(ann)
    for model, shown in SHOWN.items():
        name, row = model._meta.label, model.objects.order_by("pk").first()
        assert row is not None, f"no {name} to look at"
        answers = {address: operator.get(address).status_code for address in pages(model)}
        assert set(answers.values()) == {200}, name
        for asked in ("?q=1", f"?q={'9' * 30}%25%22", filtered(shown, operator.get(page(model)))):
            assert operator.get(page(model) + asked).status_code == 200, (name, asked)
        if name != "auth.Group":
            assert operator.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403, name
            assert operator.get(page(model, "add")).status_code == 403, name
        if name not in EDITED:
            assert operator.post(page(model, "change", row.pk), {}).status_code == 403, name
        erased = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
        operator.post(page(model), erased)
        assert model.objects.filter(pk=row.pk).exists(), name


def filtered(shown, answer):
    """The address of a list by every column, and by the last choice of every filter."""
    changes = answer.context["cl"]
    columns = ".".join(str(column) for column in range(1, len(shown.list_display) + 1))
    chosen = [list(spec.choices(changes))[-1]["query_string"][1:] for spec in changes.filter_specs]
    return "?" + "&".join([f"o={columns}", *chosen])


def test_a_change_page_shows_every_column_that_is_no_secret_and_leads_on(operator, ann):
    tournament = filled.some(ann)
    for model in OURS:
        if model._meta.label in EDITED:
            continue
        shown = operator.get(pages(model)[1]).content.decode()
        for field in model._meta.concrete_fields:
            hidden = field.name in SHOWN[model].secret
            assert (f"field-{field.name}" in shown) is not hidden, f"{model.__name__}.{field.name}"
    see = operator.get(page(Tournament, "change", tournament.pk)).content.decode()
    for link in (
        f"/admin/tournaments/table/?tournament={tournament.pk}",
        f"/admin/matches/match/?tournament={tournament.pk}",
        f"/admin/common/statusnote/?kind=tournament&amp;row={tournament.pk}",
    ):
        assert f'href="{link}"' in see
        assert operator.get(link.replace("&amp;", "&")).context["cl"].result_count


def secrets_of(ann):
    """What must be on no page: by what it is."""
    boards = Board.objects.exclude(group__tournament__status__in=("finished", "cancelled"))
    found = {f"seed of board {board.pk}": board.seed for board in boards}
    found |= {f"seed of {cup}": cup.seed for cup in Tournament.objects.all()}
    found |= {f"seed of {sitting}": sitting.seed for sitting in Sitting.objects.all()}
    found |= {f"digest of token {token.pk}": token.digest for token in Token.objects.all()}
    found |= {f"key of token {token.pk}": token.token_key for token in Token.objects.all() if token.token_key}
    found |= {f"salt of webhook {hook.pk}": hook.salt for hook in Webhook.objects.all()}
    found |= {f"password of {user}": user.password for user in User.objects.all()}
    return found | {"a record": "polignac-record", "a hand": Match.objects.first().record[-100:].decode()}


def test_no_page_shows_a_seed_a_token_a_secret_or_a_password(operator, ann):
    filled.some(ann)
    Webhook.objects.update(old_salt=filled.hexed(16))
    kit.client(ann)
    looker = staff(*Permission.objects.values_list("codename", flat=True))
    secret = secrets_of(ann)
    assert len(secret) >= 10
    for browser, looked in ((operator, SHOWN), (looker, (User, Token, Webhook, Board, Tournament))):
        for model in looked:
            for address in pages(model):
                shown = browser.get(address).content.decode()
                assert not [what for what, value in secret.items() if value in shown], address


def test_no_filter_tells_a_secret_bit_by_bit(operator, ann):
    filled.some(ann)
    refused = {
        Board: ["seed", "group__tournament__seed"],
        Tournament: ["seed", "groups__boards__seed"],
        Sitting: ["seed", "record", "course", "answers"],
        Match: ["record", "board__seed", "tournament__seed"],
        Token: ["digest", "token_key", "user__password"],
        Webhook: ["salt", "old_salt", "owner__password"],
        User: ["password"],
    }
    for model, columns in refused.items():
        for column in columns:
            for lookup in ("", "__startswith", "__gt"):
                asked = operator.get(page(model), {column + lookup: "a"})
                assert asked.status_code == 400, f"{model.__name__}: {column}{lookup}"


@pytest.mark.parametrize("value", ["\x00", "-" + "9" * 25, "1e9", "٣"])
def test_odd_values_in_addresses_are_no_crash(operator, ann, value):
    kit.open_tournament(ann)
    for model in (Match, Tournament):
        key = next(field.name for field in model._meta.concrete_fields if field.name != "password")
        for asked in ({key: value}, {f"{key}__in": value}, {"o": value}, {"p": value}, {"nonsense": value}):
            assert operator.get(page(model), asked).status_code in (200, 302, 400), asked
        assert operator.get(page(model, "change", value)).status_code in (200, 302, 404)
        chosen = {"action": "cancel", "_selected_action": value}
        assert operator.post(page(model), chosen).status_code in (200, 302, 400)


def test_a_list_of_thirty_asks_no_more_than_a_list_of_three_and_counts_no_further_than_is_turned(
    operator, ann, monkeypatch
):
    filled.thirty(ann)
    for model, shown in SHOWN.items():
        if not hasattr(shown, "deeds"):
            continue
        sent = {}
        for rows in (3, 30):
            monkeypatch.setattr(shown, "list_per_page", rows, raising=False)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                context = operator.get(page(model)).context
            assert len(context["cl"].result_list) >= min(rows, 10), model.__name__
            sent[rows] = [query["sql"] for query in queries]
        assert len(sent[3]) == len(sent[30]), f"{model.__name__}: {sent[30]}"
        assert len(sent[30]) <= 12, model.__name__
        counts = [sql for sql in sent[30] if "COUNT(" in sql]
        assert all("LIMIT 10000" in sql for sql in counts), counts


def test_lists_of_what_there_are_millions_of_look_at_no_more_than_a_page():
    for model, shown in SHOWN.items():
        if getattr(shown, "huge", False):
            assert shown.date_hierarchy is None, f"{model.__name__}: its years are found in all rows"
            assert shown.ordering == (f"-{model._meta.pk.attname}",)
            columns = [name for name in shown.list_filter if isinstance(name, str)]
            fields = [model._meta.get_field(name) for name in columns]
            scanned = [
                field.name
                for field in fields
                if not (field.choices or isinstance(field, models.BooleanField | models.DateTimeField))
            ]
            assert not scanned, f"{model.__name__}: {scanned} are looked for in all rows"
        assert shown.show_full_result_count is False or model.__module__.startswith("django."), model.__name__


def test_nothing_that_results_depend_on_goes_with_what_may_be_deleted(rf, ann):
    request = rf.get("/")
    request.user = kit.user("root", is_staff=True, is_superuser=True)
    gone = {model for model, shown in SHOWN.items() if shown.has_delete_permission(request)}
    while (
        more := {
            relation.related_model
            for model in gone
            for relation in model._meta.get_fields(include_hidden=True)
            if relation.auto_created
            and not relation.concrete
            and getattr(relation, "on_delete", None) is CASCADE
        }
        - gone
    ):
        gone |= more
    assert {model._meta.label for model in gone} <= {
        "auth.Group",
        "auth.Group_permissions",
        "accounts.User_groups",
    }
