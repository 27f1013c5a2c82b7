"""Webhooks: one's own servers that are told what happens."""

import json
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
from league.web.views.common import again, page, ways
from league.web.views.doors import see_other
from league.webhooks.lifecycle import DeliveryStatus

HERE = "account"
#: Deliveries on a page.
SHOWN = 20

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
    query = {"page_size": SHOWN, "status": request.GET.get("status"), "cursor": request.GET.get("cursor")}
    log = inside.get(request, "webhook-deliveries", hook, query=query)
    context = {
        "title": "Webhook",
        "here": HERE,
        "hook": inside.get(request, "webhook-detail", hook),
        "deliveries": log["results"],
        "ways": ways(request, log),
        "statuses": [str(each) for each in DeliveryStatus],
        "chosen": query["status"],
    }
    return render(request, "web/webhook.html", context)


@never_cache
@page("POST", known=True)
def delivery(request: HttpRequest, hook: int, pk: int) -> HttpResponseBase:
    """What was sent, and what came back; or have it sent once more."""
    if request.method == "POST":
        inside.act(request, "webhook-redeliver", hook, pk, key=request.POST.get("key"))
        messages.success(request, "It is sent once more, with the same id: it shows here what comes back.")
        return see_other(reverse("webhook-delivery-page", args=[hook, pk]))
    found = inside.get(request, "webhook-delivery", hook, pk)
    context = {
        "title": "Delivery",
        "here": HERE,
        "hook": inside.get(request, "webhook-detail", hook),
        "delivery": found,
        "sent": json.dumps(found["event"], indent=2, ensure_ascii=False),
    }
    return render(request, "web/webhook-delivery.html", context)


@never_cache
@page("POST", known=True)
def rotate(request: HttpRequest, hook: int) -> HttpResponseBase:
    """Another secret, once that is confirmed. It is in the answer to the form, and nowhere else."""
    if request.method != "POST":
        found = inside.get(request, "webhook-detail", hook)
        context = {"title": "New secret", "here": HERE, "hook": found}
        return render(request, "web/webhook-secret.html", context)
    made = inside.act(request, "webhook-secret", hook)
    context = {"title": "The new secret", "here": HERE, "hook": made, "rotated": True}
    return render(request, "web/webhook-made.html", context)


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
    path("account/webhooks/<int:hook>/deliveries/<int:pk>/", delivery, name="webhook-delivery-page"),
    path("account/webhooks/<int:hook>/secret/", rotate, name="webhook-secret-page"),
    path("account/webhooks/<int:hook>/delete/", delete, name="webhook-delete"),
]
