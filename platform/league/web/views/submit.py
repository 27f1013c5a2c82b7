"""Send a program: a new bot or a new version of one, and the starters to begin with."""

import io
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from league.pipeline.submit import upload_limits
from league.web import inside
from league.web.inside import Problem, refusal
from league.web.views.common import again, page
from league.web.views.doors import see_other
from sandbox.languages import Language, languages

NEW = "new"
TITLE = "My first bot"
#: What can be written on the page is one file of this language.
WRITTEN = "python"
MOST_BOTS = 200


@never_cache
@page("POST")
def submit(request: HttpRequest) -> HttpResponseBase:
    """The form, or what it sends; then the new version's page, where its check is seen."""
    if request.method != "POST":
        asked = {"bot": request.GET.get("bot", ""), "name": "", "program": _starter()}
        return render(request, "web/submit.html", _form(request, asked))
    if not request.user.is_authenticated:
        return see_other(f"{reverse('login')}?next={reverse('submit')}")
    typed = {name: request.POST.get(name, "") for name in ("bot", "name", "program")}
    try:
        return see_other(reverse("version", args=[_send(request, typed)]))
    except Problem as problem:
        return again(request, "web/submit.html", _form(request, typed), problem)


@page()
def starter(request: HttpRequest, name: str) -> HttpResponseBase:
    """A language's first bot as a zip, which can be sent as it is."""
    if name not in languages():
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="starter-{name}.zip"'}
    return HttpResponse(_zip(languages()[name]), content_type="application/zip", headers=headers)


def _send(request: HttpRequest, typed: dict[str, str]) -> int:
    """The id of the version that was sent. `typed["bot"]` becomes the bot's id as soon as there is one: if
    the program is refused then, the form goes on with that bot. Raises Problem."""
    file, key = request.FILES.get("file"), request.POST.get("key", "")
    if "written" in request.POST:
        file = _written(typed["program"])
    if file is None:
        raise refusal("required", "Choose a program: one source file, or a zip.", "file")
    if typed["bot"] == NEW:
        made = inside.act(request, "bot-list", data={"name": typed["name"]}, key=key and f"{key}-bot")
        typed["bot"] = str(made["id"])
    version: int = inside.act(request, "bot-versions", typed["bot"], file=file, key=key)["id"]
    return version


def _form(request: HttpRequest, typed: dict[str, str]) -> dict[str, Any]:
    bots = []
    if request.user.is_authenticated:
        query = {"owner": request.user.get_username(), "ordering": "name", "page_size": MOST_BOTS}
        bots = inside.get(request, "bot-list", query=query)["results"]
    return {
        "title": "Submit a bot",
        "here": "submit",
        "limits": upload_limits(),
        "languages": languages().values(),
        "starter": _starter(),
        "bots": [(str(bot["id"]), bot) for bot in bots],
        "typed": typed,
    }


def _written(program: str) -> SimpleUploadedFile:
    """What was written on the page, as the file that it is. Raises Problem."""
    if not program.strip():
        raise refusal("required", "Write a program, or choose one above.", "program")
    lines = program.replace("\r\n", "\n").rstrip() + "\n"
    return SimpleUploadedFile(languages()[WRITTEN].entries[0], lines.encode())


def _starter() -> str:
    language = languages()[WRITTEN]
    return language.starter[language.entries[0]].decode()


def _zip(language: Language) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in language.first_bot(TITLE).items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


urls = [
    path("submit/", submit, name="submit"),
    path("submit/starters/<slug:name>.zip", starter, name="starter"),
]
