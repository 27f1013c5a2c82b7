"""Webhooks: one's own servers that are told what happens."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.api.serializers.webhooks import EVENTS
from league.web import inside
from league.web.inside import Problem
from league.web.views.common import again, page
from league.web.views.doors import see_other

HERE = "account"

Deed = Callable[[HttpRequest, int, str], Any]


def _turn(active: bool) -> Deed:
    return lambda request, hook, key: inside.act(
        request, "webhook-detail", hook, data={"active": active}, method="PATCH", key=key
    )


#: What the buttons of a webhook's page do, and what is said then.
DEEDS: dict[str, tuple[Deed, str]] = {
    "ping": (
        lambda request, hook, key: inside.act(request, "webhook-ping", hook, key=key),
        "A ping is on its way; it shows below.",
    ),
    "pause": (_turn(False), "Nothing is sent there now."),
    "resume": (_turn(True), "It is told again what happens."),
}


@never_cache
@page("POST", known=True)
def new(request: HttpRequest) -> HttpResponseBase:
    """Make a webhook. Its secret is in the answer to the form, and nowhere else."""
    context: dict[str, Any] = {"title": "New webhook", "here": HERE, "events": EVENTS, "chosen": ["*"]}
    if request.method != "POST":
        return render(request, "web/webhook-new.html", context)
    url, chosen = request.POST.get("url", "").strip(), request.POST.getlist("events")
    try:
        data = {"url": url, "events": chosen}
        made = inside.act(request, "webhook-list", data=data, key=request.POST.get("key"))
    except Problem as problem:
        context |= {"typed": {"url": url}, "chosen": chosen}
        return again(request, "web/webhook-new.html", context, problem)
    context |= {"title": "Your new webhook", "hook": made}
    return render(request, "web/webhook-made.html", context, status=201)


@never_cache
@page("POST", known=True)
def webhook(request: HttpRequest, hook: int) -> HttpResponseBase:
    """One webhook: its state, what it was sent, and what can be done with it."""
    deed = DEEDS.get(request.POST.get("deed", "")) if request.method == "POST" else None
    if deed is not None:
        act, said = deed
        act(request, hook, request.POST.get("key", ""))
        messages.success(request, said)
        return see_other(reverse("webhook-page", args=[hook]))
    context = {
        "title": "Webhook",
        "here": HERE,
        "hook": inside.get(request, "webhook-detail", hook),
        "deliveries": inside.get(request, "webhook-deliveries", hook, query={"page_size": 20})["results"],
    }
    return render(request, "web/webhook.html", context)


@never_cache
@page("POST", known=True)
def delete(request: HttpRequest, hook: int) -> HttpResponseBase:
    """Delete a webhook, once that is confirmed."""
    found = inside.get(request, "webhook-detail", hook)
    if request.method != "POST":
        context = {"title": "Delete a webhook", "here": HERE, "hook": found}
        return render(request, "web/webhook-delete.html", context)
    inside.act(request, "webhook-detail", hook, method="DELETE")
    messages.success(request, "The webhook is deleted.")
    return see_other(reverse("account"))


urls = [
    path("account/webhooks/new/", new, name="webhook-new"),
    path("account/webhooks/<int:hook>/", webhook, name="webhook-page"),
    path("account/webhooks/<int:hook>/delete/", delete, name="webhook-delete"),
]
