"""What is to be seen on the lived-in site: each page of the map, in the states that it may be in."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.contrib import admin
from django.urls import reverse

from league.web import guide
from league.web.sessions import name_of
from league.web.urls import urlpatterns
from tests.league import kit
from tests.web.lived import IMAGE, League

ROLES = ("reader", "author", "organiser")
LOGIN, HIDDEN, FORBIDDEN = "login", 404, 403


@dataclass(frozen=True)
class Sight:
    """Something to look at.

    Attributes:
        name: of the address in the site's map; of the admin's pages, "admin"; empty for what is in no map.
        title: what a picture of it is called; in no other use.
        sees: what each role is answered: a status, or that it is sent to log in.
        best: the role that sees most of it.
        fill, press: what is typed into the page's form, by label, and the button that then leads on.
        page: whether it is a page; else a file, or a part for a script.
    """

    name: str
    title: str
    address: str
    sees: dict[str, int | str]
    best: str = "reader"
    fill: dict[str, str] = field(default_factory=dict)
    press: str = ""
    page: bool = True


def names() -> set[str]:
    """Those of all addresses in the pages' map."""
    return {str(pattern.name) for pattern in urlpatterns}


def everybody(status: int = 200) -> dict[str, int | str]:
    return dict.fromkeys(ROLES, status)


def known() -> dict[str, int | str]:
    return {"reader": LOGIN, "author": 200, "organiser": 200}


def only(role: str, others: int | str = HIDDEN) -> dict[str, int | str]:
    """What is one user's alone."""
    return {"reader": LOGIN, "author": others, "organiser": others, role: 200}


def sights(league: League) -> list[Sight]:
    """All of them, but for the admin's."""
    return [*lists(), *of_bots(league), *of_tournaments(league), *of_people(league), *of_guide(), *errors()]


def lists() -> Iterator[Sight]:
    for name in ("home", "bots", "tournaments", "matches", "guide", "submit", "seat"):
        best = "author" if name in ("submit", "seat") else "reader"
        yield Sight(name, name, reverse(name), everybody(), best)
    yield Sight("home", "home, found nothing", "/?search=nobody", everybody())
    yield Sight("home", "home, sorted", "/?ordering=-points_per_deal", everybody())
    yield Sight("bots", "bots, found nothing", "/bots/?search=nobody", everybody())
    yield Sight("starter", "starter", reverse("starter", args=["python"]), everybody(), page=False)


def of_bots(league: League) -> Iterator[Sight]:
    rows = league.rows

    def of(name: str, row: str, best: str = "reader", sees: dict[str, int | str] | None = None) -> Sight:
        return Sight(name, row, reverse(name, args=[rows[row]]), sees or everybody(), best)

    yield of("bot", "bot", "author")
    yield of("bot", "hostile bot", "author")
    yield of("bot", "bot without a rating")
    yield of("version", "version", "author")
    mine = {"reader": HIDDEN, "author": 200, "organiser": HIDDEN}
    for row in ("rejected", "checking", "waiting"):
        yield of("version", row, "author", mine)
    yield of("version", "disqualified", "author")
    for name in ("version-check", "version-program"):
        sees = everybody() if name == "version-check" else only("author")
        yield Sight(name, name, reverse(name, args=[rows["version"]]), sees, "author", page=False)
    for row in ("match", "match with a crash", "match of a running one"):
        yield of("match", row, "author")
    yield of("board", "board")


def of_tournaments(league: League) -> Iterator[Sight]:
    rows = league.rows
    draft = {"reader": HIDDEN, "author": HIDDEN, "organiser": 200}
    for row in ("league", "cup", "duel", "cancelled", "open", "draft"):
        sees = draft if row == "draft" else everybody()
        yield Sight("tournament", row, reverse("tournament", args=[rows[row]]), sees, "organiser")
    for part in ("crosstable", "boards", "tables", "entrants", "partners"):
        name = f"tournament-{part}-page"
        sees = only("organiser", FORBIDDEN) if part == "partners" else everybody()
        for row in ("league", "cup"):
            yield Sight(name, f"{row}, {part}", reverse(name, args=[rows[row]]), sees, "organiser")
    new = reverse("tournament-new")
    yield Sight("tournament-new", "new tournament", new, known(), "organiser")
    for format in ("round_robin", "gauntlet"):
        yield Sight("tournament-new", f"new {format}", f"{new}?format={format}", known(), "organiser")
    yield Sight(
        "tournament-enter", "enter", reverse("tournament-enter", args=[rows["open"]]), known(), "author"
    )
    leave = reverse("entrant-withdraw", args=[rows["cup"], rows["entered"]])
    yield Sight("entrant-withdraw", "withdraw", leave, known(), "author")
    for row, deeds in {
        "draft": ("open", "cancel"),
        "open": ("start",),
        "cup": ("pause", "extend", "replay", "cancel"),
    }.items():
        for deed in deeds:
            sees = only("organiser", HIDDEN if row == "draft" else FORBIDDEN)
            address = reverse("tournament-act", args=[rows[row], deed])
            yield Sight("tournament-act", f"{deed} the {row}", address, sees, "organiser")


def of_people(league: League) -> Iterator[Sight]:
    rows = league.rows
    for name in ("login", "sign-up"):
        yield Sight(name, name, reverse(name), {"reader": 200}, "reader")
    wrong = {"Name": IMAGE, "Password": "x"}
    yield Sight("login", "login, refused", reverse("login"), {"reader": 400}, fill=wrong, press="Log in")
    yield Sight("logout", "logout", reverse("logout"), everybody(), "author")
    for name in ("account", "password", "sessions-end", "token-new", "webhook-new"):
        yield Sight(name, name, reverse(name), known(), "author")
    own = {"token-end": "token"} | dict.fromkeys(
        ("webhook-page", "webhook-secret-page", "webhook-delete"), "hook"
    )
    for name, row in own.items():
        yield Sight(name, name, reverse(name, args=[rows[row]]), only("author"), "author")
    delivery = reverse("webhook-delivery-page", args=[rows["hook"], rows["delivery"]])
    yield Sight("webhook-delivery-page", "delivery", delivery, only("author"), "author")
    session = name_of(league.users["author"].sessions()[0].pk)
    yield Sight(
        "session-end", "session-end", reverse("session-end", args=[session]), only("author"), "author"
    )
    for user in ("author", "organiser"):
        row = f"{user}'s sitting"
        yield Sight("sitting", row, reverse("sitting", args=[rows[row]]), only(user), user)
    mine, asked = rows["author's sitting"], rows["organiser's sitting"]
    leave = reverse("sitting-leave", args=[asked])
    yield Sight("sitting-leave", "leave the table", leave, only("organiser"), "organiser")
    for name in ("sitting-state", "sitting-file"):
        yield Sight(name, name, reverse(name, args=[mine]), only("author"), "author", page=False)
    answer = reverse("sitting-answer", args=[asked])
    yield Sight("sitting-answer", "answer", answer, only("organiser"), "organiser", page=False)
    made = {"Name": "laptop", "Your password": kit.PASSWORD}
    yield Sight(
        "token-new",
        "token made",
        reverse("token-new"),
        {"author": 201},
        "author",
        fill=made,
        press="Make the token",
    )


def of_guide() -> Iterator[Sight]:
    for name in guide.names():
        sees = everybody() if name == "rules" else {"reader": 200}
        yield Sight("guide-page", f"guide {name}", reverse("guide-page", args=[name]), sees)


def errors() -> Iterator[Sight]:
    yield Sight("", "not found", "/nothing/<script>alert(1)</script>/", everybody(404))
    yield Sight("", "a bad question", "/tournaments/?status=<script>alert(1)</script>", everybody(400))


def of_admin() -> Iterator[Sight]:
    """The operators' pages: each list, a row of it, its history, and a new one where that can be made."""
    sees: dict[str, int | str] = {"staff": 200}
    yield Sight("admin", "admin", reverse("admin:index"), sees, "staff")
    for model in admin.site._registry:
        start = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield Sight("admin", model._meta.label, reverse(f"{start}_changelist"), sees, "staff")
        if row := model._default_manager.order_by("-pk").first():
            for name in ("change", "history"):
                title = f"{model._meta.label}, {name}"
                yield Sight("admin", title, reverse(f"{start}_{name}", args=[row.pk]), sees, "staff")
