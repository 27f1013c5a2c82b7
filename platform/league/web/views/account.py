"""One's own account: quotas, tokens, sessions, and the password."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.accounts.models import User
from league.accounts.scopes import USUAL, Scope
from league.web import inside, sessions
from league.web.inside import Problem
from league.web.views.common import again, page
from league.web.views.doors import begin, same_twice, see_other

HERE = "account"


@never_cache
@page(known=True)
def account(request: HttpRequest) -> HttpResponseBase:
    """Who I am, what I have, and which ways in there are."""
    context = {
        "title": "Your account",
        "here": HERE,
        "me": inside.get(request, "user-me"),
        "tokens": inside.get(request, "token-list")["results"],
        "sessions": sessions.sessions_of(me(request), request),
        "webhooks": inside.get(request, "webhook-list")["results"],
    }
    return render(request, "web/account.html", context)


@never_cache
@page("POST", known=True)
def new_token(request: HttpRequest) -> HttpResponseBase:
    """Make a token. Its text is in the answer to the form, and nowhere else."""
    usual = [str(scope) for scope in Scope if scope in USUAL]
    scopes = [scope for scope in Scope if scope != Scope.ADMIN or me(request).is_staff]
    context: dict[str, Any] = {
        "title": "New token",
        "here": HERE,
        "scopes": scopes,
        "chosen": usual,
        "most_days": settings.TOKEN_DAYS,
    }
    if request.method != "POST":
        return render(request, "web/token-new.html", context)
    given = {name: request.POST.get(name, "").strip() for name in ("name", "days")}
    chosen = request.POST.getlist("scopes")
    data: dict[str, Any] = {name: value for name, value in given.items() if value} | {"scopes": chosen}
    if given["days"].isdecimal() and given["days"].isascii():
        data["days"] = int(given["days"][:10])
    data |= {"username": request.user.get_username(), "password": request.POST.get("password", "")}
    try:
        token = inside.act(request, "token-list", data=data)
    except Problem as problem:
        context |= {"typed": given, "chosen": chosen}
        return again(request, "web/token-new.html", context, problem)
    context |= {"title": "Your new token", "token": token, "site": request.build_absolute_uri("/")}
    return render(request, "web/token-made.html", context, status=201)


@never_cache
@page("POST", known=True)
def end_token(request: HttpRequest, token: int) -> HttpResponseBase:
    """Revoke a token, once that is confirmed."""
    found = inside.get(request, "token-detail", token)
    if request.method != "POST":
        return render(
            request, "web/token-end.html", {"title": "Revoke a token", "here": HERE, "token": found}
        )
    inside.act(request, "token-detail", token, method="DELETE")
    messages.success(request, f"The token “{found['name']}” is revoked.")
    return see_other(reverse("account"))


@never_cache
@page("POST", known=True)
def password(request: HttpRequest) -> HttpResponseBase:
    """Change the password. All tokens and sessions end; this browser gets a new one."""
    context: dict[str, Any] = {"title": "Change your password", "here": HERE}
    if request.method != "POST":
        return render(request, "web/password.html", context)
    user = me(request)
    try:
        same_twice(request, "new")
        data = {name: request.POST.get(name, "") for name in ("old", "new")}
        inside.act(request, "user-password", data=data)
    except Problem as problem:
        return again(request, "web/password.html", context, problem)
    request.session.flush()  # its row is gone
    begin(request, User.objects.get(pk=user.pk))
    messages.success(request, "Your password is changed. All tokens and other sessions have ended.")
    return see_other(reverse("account"))


@never_cache
@page("POST", known=True)
def end_sessions(request: HttpRequest) -> HttpResponseBase:
    """Log out everywhere else, once that is confirmed."""
    if request.method != "POST":
        return render(request, "web/sessions-end.html", {"title": "Log out everywhere else", "here": HERE})
    me(request).end_sessions(but=request.session.session_key)
    messages.success(request, "You are logged in with this browser only.")
    return see_other(reverse("account"))


@never_cache
@page("POST", known=True)
def end_session(request: HttpRequest, name: str) -> HttpResponseBase:
    """Log out somewhere else, once that is confirmed."""
    found = [each for each in sessions.sessions_of(me(request), request) if each.name == name]
    if request.method != "POST":
        if not found:
            raise Http404
        context = {"title": "Log out there", "here": HERE, "session": found[0]}
        return render(request, "web/session-end.html", context)
    sessions.end(me(request), name)
    messages.success(request, "That browser is logged out.")
    return see_other(reverse("account"))


def me(request: HttpRequest) -> User:
    """Who is logged in; for pages of the known."""
    assert isinstance(request.user, User)
    return request.user


urls = [
    path("account/", account, name="account"),
    path("account/tokens/new/", new_token, name="token-new"),
    path("account/tokens/<int:token>/end/", end_token, name="token-end"),
    path("account/password/", password, name="password"),
    path("account/sessions/end/", end_sessions, name="sessions-end"),
    path("account/sessions/<slug:name>/end/", end_session, name="session-end"),
]
