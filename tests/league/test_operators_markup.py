"""Whatever strangers wrote, wherever the admin shows it, is text."""

import pytest
from django.contrib import admin
from django.db import IntegrityError, models, transaction

from league.bots.models import Bot
from league.webhooks.models import Delivery, Webhook
from tests.league import filled, kit
from tests.league.test_operators_deeds import do
from tests.league.test_operators_lists import operator, page, pages  # noqa: F401

pytestmark = pytest.mark.django_db

#: An attribute, an element, the end of a script, a template: 38 characters, as a name has 40.
HOSTILE = """"'><img src=x></script>{{7*7}}{%x%}"""
LINK = "javascript:alert(1)"
#: What other code reads as something: what it is compared with, or a list of words.
READ = {"status", "granted", "kind"}


def written(model, text):
    """Write the text into every column of one row that holds text; gives the columns that took it."""
    row, took = model.objects.order_by("-pk").first(), []
    for field in model._meta.concrete_fields:
        known = (
            field.choices
            or field.primary_key
            or field.name in READ
            or field.get_internal_type() == "SlugField"
        )
        if isinstance(field, models.JSONField):
            value = {text: [text]}
        elif isinstance(field, models.CharField | models.TextField) and not known:
            value = text[: field.max_length]
        else:
            continue
        if model._meta.label in ("tournaments.Tournament", "ratings.Pool") and field.name in (
            "options",
            "rules",
        ):
            value = {**getattr(row, field.name), text: text}
        try:
            with transaction.atomic():
                model.objects.filter(pk=row.pk).update(**{field.name: value})
        except IntegrityError:
            continue
        took.append(field.name)
    return row, took


def test_markup_in_any_text_of_any_model_is_inert_on_every_page(operator, ann):  # noqa: F811
    filled.some(ann)
    rows = {model: written(model, HOSTILE) for model in admin.site._registry}
    assert sum(len(took) for _, took in rows.values()) > 60
    for model, (row, _) in rows.items():
        if model._meta.label == "accounts.User":
            model.objects.filter(pk=row.pk).update(password="md5$a$b")
        looked = [
            page(model),
            page(model, "change", row.pk),
            page(model, "history", row.pk),
            page(model) + "?q=%3Cimg",
        ]
        for address in looked:
            answer = operator.get(address)
            assert answer.status_code == 200, address
            inert(answer, address)
        for deed in getattr(admin.site._registry[model], "deeds", ()):
            answer = operator.post(page(model), {"action": deed.name, "_selected_action": row.pk})
            assert answer.status_code == 200
            inert(answer, deed.name)
    assert "&lt;img src=x&gt;" in operator.get(page(Bot)).content.decode()
    assert "{{7*7}}" in operator.get(page(Bot)).content.decode()


def inert(answer, where):
    """The page, once it is seen that nothing of it was taken for markup."""
    text = answer.content.decode()
    assert "<img src=x" not in text, where
    assert "</script>{{" not in text, where
    assert f'href="{LINK}' not in text, where
    return text


def test_a_reason_and_what_is_told_of_it_are_text(operator, ann):  # noqa: F811
    version = kit.active(ann, "<img src=x>")
    do(operator, "retire", version, why=HOSTILE)
    told = inert(operator.get(page(type(version))), "the list")
    assert "&lt;img src=x&gt;#1: done" in told
    history = inert(operator.get(page(type(version), "history", version.pk)), "the history")
    assert "Retire: &quot;" in history
    for name in ("common/statusnote", "admin/logentry"):
        assert "&lt;img src=x" in inert(operator.get(f"/admin/{name}/"), name)


def test_an_address_that_is_a_script_is_no_link(operator, ann):  # noqa: F811
    filled.some(ann)
    for model in (Webhook, Delivery, Bot):
        written(model, LINK)
        for address in pages(model):
            inert(operator.get(address), address)
