"""Sign up, log in, log out."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from league.accounts.models import User
from league.api.admin_door import TOO_MANY, UNCOUNTED, wait_s
from league.api.serializers.accounts import Credentials
from league.web import inside
from league.web.inside import Problem, refusal
from league.web.views.common import again, page


@never_cache
@page("POST")
def log_in(request: HttpRequest) -> HttpResponseBase:
    """Log in, and on to where one came from."""
    return _through(request, "web/login.html", "login", "Log in", _known)


@never_cache
@page("POST")
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Make an account, and be logged in."""
    return _through(request, "web/sign-up.html", "sign-up", "Sign up", _new)


@page("POST")
def log_out(request: HttpRequest) -> HttpResponseBase:
    """Log out; who only follows a link here is asked."""
    if request.method != "POST":
        return render(request, "web/logout.html", {"title": "Log out"})
    logout(request)
    messages.success(request, "You are logged out.")
    return see_other(reverse("home"))


def begin(request: HttpRequest, user: User) -> None:
    """Log this user in with this browser: the session gets another id."""
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")


def see_other(address: str) -> HttpResponseRedirect:
    """After a POST: read that page (303)."""
    return HttpResponseRedirect(address, status=303)


def same_twice(request: HttpRequest, name: str) -> None:
    """Whether a new password was typed twice the same. Raises Problem."""
    if request.POST.get(name) != request.POST.get("again"):
        raise refusal("invalid", "The password is not the same twice; type it again.", "again")


def _through(request: HttpRequest, template: str, here: str, title: str, enter: Any) -> HttpResponseBase:
    onward = _onward(request)
    context: dict[str, Any] = {"title": title, "here": here, "onward": onward}
    if request.method == "POST":
        try:
            begin(request, enter(request))
        except Problem as problem:
            context["typed"] = {"username": request.POST.get("username", "")}
            return again(request, template, context, problem)
    if request.user.is_authenticated:
        return see_other(onward or reverse("account"))
    return render(request, template, context)


def _onward(request: HttpRequest) -> str:
    """Where to go then, if that is an address of ours; else nothing."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if ours else ""


def _known(request: HttpRequest) -> User:
    """Who has this name and password. Attempts are counted with the API's and the admin's. Raises Problem."""
    try:
        wait = wait_s(request)
    except RedisError:
        raise refusal("unavailable", UNCOUNTED, wait_s=5) from None
    if wait is not None:
        raise refusal("throttled", TOO_MANY.format(wait), wait_s=wait)
    given = Credentials(data={name: request.POST.get(name, "") for name in ("username", "password")})
    user = authenticate(request, **given.validated_data) if given.is_valid() else None
    if not isinstance(user, User):
        raise refusal("bad_credentials", "There is no user of that name with that password.")
    return user


def _new(request: HttpRequest) -> User:
    """A new user. Raises Problem."""
    same_twice(request, "password")
    given = {name: request.POST.get(name, "") for name in ("username", "password")}
    made = inside.act(request, "user-list", data=given)
    return User.objects.get(pk=made["id"])


urls = [
    path("login/", log_in, name="login"),
    path("logout/", log_out, name="logout"),
    path("sign-up/", sign_up, name="sign-up"),
]
