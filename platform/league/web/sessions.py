"""Sessions of browsers, for who asks where they are logged in: what each keeps of itself, and how it is told.

A session's key is a secret: on pages and in addresses it goes by a name that is made of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from league.accounts.models import User
from league.api.middleware import middleware
from league.common.text import clipped

#: What a session keeps: when it began, in which browser, and when it was used last.
BEGAN, BROWSER, USED = "began", "browser", "used"
BROWSER_MAX = 200
#: So exactly is known when a session was used last: it is not written at every request.
USED_TO = timedelta(minutes=5)

#: What browsers say of themselves; the first that fits, as each claims to be those before it, too.
BROWSERS: Mapping[str, str] = {
    r"\bEdg(e|A|iOS)?/": "Edge",
    r"\b(OPR|Opera)/": "Opera",
    r"\bSamsungBrowser/": "Samsung Internet",
    r"\b(Firefox|FxiOS)/": "Firefox",
    r"\bHeadlessChrome/": "Chromium without a window",
    r"\b(Chrome|CriOS|Chromium)/": "Chrome",
    r"\bSafari/": "Safari",
}
SYSTEMS: Mapping[str, str] = {
    r"\b(iPhone|iPad|iPod)\b": "iOS",
    r"\bAndroid\b": "Android",
    r"\bWindows\b": "Windows",
    r"\bMac OS X\b": "macOS",
    r"\bCrOS\b": "ChromeOS",
    r"\bLinux\b": "Linux",
}


@dataclass(frozen=True)
class SessionRow:
    """A session, as it is shown. `this`: the one that asks."""

    name: str
    browser: str
    began: datetime | None
    used: datetime | None
    ends: datetime
    this: bool


def name_of(key: str) -> str:
    """What a session is called where others may read it."""
    return sha256(f"session {key}".encode()).hexdigest()[:16]


def sessions_of(user: User, request: HttpRequest) -> list[SessionRow]:
    """Where the user is logged in: here first, then the one that was used last."""
    told = [_told(session, request.session.session_key) for session in user.sessions()]
    oldest = timezone.now() - timedelta(days=3650)
    return sorted(told, key=lambda one: (one.this, one.used or oldest), reverse=True)


def end(user: User, name: str) -> None:
    """End the session of that name, if it is the user's."""
    for session in user.sessions():
        if name_of(session.pk) == name:
            session.delete()


def words(agent: str) -> str:
    """What a browser says of itself, in a few words: itself where it is none that is known."""
    browser, system = (
        next((name for pattern, name in table.items() if re.search(pattern, agent)), "")
        for table in (BROWSERS, SYSTEMS)
    )
    return f"{browser or 'A browser'} on {system}" if system else browser or agent or "unknown"


def _told(session: Session, current: str | None) -> SessionRow:
    kept = session.get_decoded()
    began, used = (parse_datetime(kept.get(key, "")) for key in (BEGAN, USED))
    return SessionRow(
        name_of(session.pk),
        words(kept.get(BROWSER, "")),
        began,
        used or began,
        session.expire_date,
        session.pk == current,
    )


def _begin(request: HttpRequest, **_: Any) -> None:
    """It ends so long after this, however often it is used."""
    now = timezone.now()
    request.session.set_expiry(now + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    request.session[BEGAN] = request.session[USED] = now.isoformat()
    request.session[BROWSER] = clipped(request.headers.get("User-Agent", ""), BROWSER_MAX)


def _use(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    session = request.session
    used = parse_datetime(session.get(USED, "")) if session.accessed else None
    if used is not None and timezone.now() - used > USED_TO:
        session[USED] = timezone.now().isoformat()
    return response


user_logged_in.connect(_begin, dispatch_uid="league.web.sessions")
#: Notes when a session was used; it stands inside of Django's own, which saves that.
noted = middleware(after=_use)
