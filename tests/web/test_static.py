"""Static files as production names them."""

import re

from django.contrib.staticfiles import finders
from django.core.files.storage import storages
from django.core.management import call_command

from league.web.storage import HashedStorage
from tests.web.kit import ROOT
from tests.web.people import browser_of, text

NAME = f"{HashedStorage.__module__}.{HashedStorage.__name__}"


def test_all_files_are_collected_and_our_modules_import_each_other_by_hashed_names(
    settings, tmp_path, caplog
):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {"staticfiles": {"BACKEND": NAME}}
    call_command("collectstatic", interactive=False, verbosity=0)
    assert "is not collected" not in caplog.text
    replay = storages["staticfiles"].stored_name("web/js/replay.js")
    imported = re.findall(r'from "\./([^"]+)"', (tmp_path / replay).read_text())
    assert len(imported) == 4
    for name in imported:
        assert re.fullmatch(r"\w+\.[0-9a-f]{12}\.js", name)
        assert (tmp_path / "web/js" / name).is_file()


def test_production_names_them_so():
    assert f'"{NAME}"' in (ROOT / "platform/league/settings/production.py").read_text()


def test_where_none_is_collected_pages_and_errors_are_bare_and_the_log_says_what_to_do(
    db, settings, tmp_path, caplog
):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {"staticfiles": {"BACKEND": NAME}}
    browser = browser_of()
    for address, status in (("/", 200), ("/nothing/", 404), ("/guide/", 200), ("/admin/login/", 200)):
        answer = browser.get(address)
        assert answer.status_code == status, address
        assert "<!DOCTYPE html>" in text(answer) or "<!doctype html>" in text(answer)
    assert 'href="/static/web/css/base.css"' in text(browser.get("/"))
    told = [line for line in caplog.messages if "web/css/base.css is not collected" in line]
    assert len(told) == 1
    assert "manage.py collectstatic" in told[0]


def test_each_file_that_a_template_names_is_there():
    templates = (ROOT / "platform/league/web/templates").rglob("*.html")
    named = {name for path in templates for name in re.findall(r"{% static '([^']+)' %}", path.read_text())}
    assert len(named) > 15
    assert [name for name in named if finders.find(name) is None] == []


def test_each_sheet_and_script_is_told_in_the_docs_of_the_design_and_each_that_is_told_is_there():
    static = ROOT / "platform/league/web/static/web"
    there = {str(path.relative_to(static)) for path in static.rglob("*.*") if path.suffix in (".css", ".js")}
    told = set(re.findall(r"`((?:css|js)/\w+\.\w+)`", (ROOT / "docs/design.md").read_text()))
    assert told == there


def test_each_class_that_the_docs_of_the_design_tell_is_in_a_sheet():
    parts = (ROOT / "docs/design.md").read_text().partition("## Parts")[2].partition("\n## ")[0]
    styles = "".join(path.read_text() for path in (ROOT / "platform/league/web/static/web").rglob("*.css"))
    code = " ".join(re.findall("`([^`]+)`", parts))
    elements = "a|p|div|dl|ol|svg|td|th|nav|table|header|footer|line"
    told = set(re.findall(rf"(?:\b(?:{elements})|(?<![\w#]))\.([a-z-]+)", code))
    assert len(told) > 35
    assert [name for name in told if not re.search(rf"\.{name}\b", styles)] == []
