"""The guide's pages."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path

from league.web import guide
from league.web.views.common import page

HERE = "guide"


@page()
def index(request: HttpRequest) -> HttpResponseBase:
    """All pages, with one line each."""
    sections = {
        title: [(name, guide.page(name), text) for name, text in pages.items()]
        for title, pages in guide.SECTIONS.items()
    }
    decisions = [(name, guide.page(name)) for name in guide.decisions()]
    context = {"title": "Rules and guide", "here": HERE, "sections": sections, "decisions": decisions}
    return render(request, "web/guide.html", context)


@page()
def one(request: HttpRequest, name: str) -> HttpResponseBase:
    """One of them."""
    found = guide.page(name)
    if found is None:
        raise Http404
    context = {"title": found.title, "here": HERE, "page": found, "languages": guide.languages_of(name)}
    return render(request, "web/guide-page.html", context)


urls = [
    path("guide/", index, name="guide"),
    path("guide/<path:name>/", one, name="guide-page"),
]
