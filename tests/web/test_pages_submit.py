"""Sending a program from a page: what is told before, the words of a refusal, the stages, and what next."""

import html
import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.bots import services as bots
from league.bots import store
from league.bots.models import Bot, Version
from league.pipeline.submit import upload_limits
from sandbox.archive import read_zip
from sandbox.languages import languages
from sandbox.package import read_upload
from sandbox.stages import Stage
from tests.league import kit
from tests.web.kit import node
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db

PROGRAM = b"print('hello')\n"


def send(browser, data=PROGRAM, filename="main.py", bot="new", name="Heron", **more):
    file = {"file": SimpleUploadedFile(filename, data)} if data is not None else {}
    return browser.post("/submit/", {"bot": bot, "name": name, "key": "one", **file, **more})


def shown_error(answer, field):
    return re.search(f'id="{field}-error">([^<]*)<', text(answer))[1].replace("&#x27;", "'")


def test_who_is_a_stranger_sees_what_is_allowed_and_the_starters_and_is_sent_to_log_in(db):
    browser = browser_of()
    page = text(browser.get("/submit/"))
    assert "/sign-up/?next=/submit/" in page
    assert "class Starter(Bot):" in page
    for name in languages():
        assert f"/submit/starters/{name}.zip" in page
    assert send(browser)["Location"] == "/login/?next=/submit/"
    assert not Bot.objects.exists()


@pytest.mark.parametrize("name", list(languages()))
def test_each_starter_is_a_zip_that_can_be_sent_as_it_is(name, db):
    answer = browser_of().get(f"/submit/starters/{name}.zip")
    assert answer["Content-Type"] == "application/zip"
    package = read_upload(answer.content, "starter.zip", upload_limits())
    assert package.language == name
    assert "README.md" in package.files


def test_there_is_no_starter_of_a_language_that_is_none(db):
    assert browser_of().get("/submit/starters/cobol.zip").status_code == 404


def test_a_new_bot_is_sent_in_one_go_and_twice_is_once(ann):
    browser = browser_of(ann)
    page = text(browser.get("/submit/"))
    assert "1.0\xa0MB" in page
    assert re.search(r'name="key" value="\w{32}"', page)
    answer = send(browser)
    version = Version.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/versions/{version.pk}/")
    assert (version.bot.name, version.bot.owner, version.language) == ("Heron", ann, "python")
    assert send(browser)["Location"] == answer["Location"]
    assert (Bot.objects.count(), Version.objects.count()) == (1, 1)


def test_a_program_can_be_written_on_the_page_beginning_with_the_starter(ann):
    browser = browser_of(ann)
    starter = languages()["python"].starter["main.py"].decode()
    shown = re.search(
        r'<textarea id="field-program"[^>]*>\n?(.*?)</textarea>', text(browser.get("/submit/")), re.S
    )
    assert html.unescape(shown[1]) == starter
    written = {"bot": "new", "name": "Heron", "written": "1", "key": "one"}
    empty = browser.post("/submit/", {**written, "program": " \r\n"})
    assert shown_error(empty, "field-program") == "Write a program, or choose one above."
    refused = browser.post("/submit/", {**written, "name": "", "program": "print('<mine>')"})
    assert "print(&#x27;&lt;mine&gt;&#x27;)</textarea>" in text(refused)
    assert not Bot.objects.exists()
    sent = browser.post("/submit/", {**written, "program": starter.replace("\n", "\r\n")})
    version = Version.objects.get()
    assert sent["Location"] == f"/versions/{version.pk}/"
    assert (
        read_upload(store.get(version.archive), "bot.zip", upload_limits()).files["main.py"].decode()
        == starter
    )


def test_another_version_goes_to_the_bot_that_is_chosen_and_to_nobody_elses(ann, bob):
    bot, his = bots.create_bot(ann, "Heron"), bots.create_bot(bob, "Owl")
    browser = browser_of(ann)
    page = text(browser.get(f"/submit/?bot={bot.pk}"))
    assert f'<option value="{bot.pk}" selected>' in page
    assert "Owl" not in page
    assert send(browser, bot=bot.pk).status_code == 303
    assert Version.objects.get().bot == bot
    assert send(browser, bot=his.pk, key="two").status_code in (403, 404)
    assert send(browser, bot="x/../1", key="three").status_code == 404
    assert Version.objects.count() == 1


def test_a_refused_program_says_what_the_api_says_and_the_form_goes_on_with_the_new_bot(ann, as_ann):
    browser = browser_of(ann)
    refused = send(browser, b"PK\x03\x04 no zip", "bot.zip")
    bot = Bot.objects.get()
    told = as_ann.post(
        f"/api/v1/bots/{bot.pk}/versions/",
        {"file": SimpleUploadedFile("bot.zip", b"PK\x03\x04 no zip")},
        format="multipart",
    ).json()
    assert refused.status_code == told["status"]
    assert shown_error(refused, "file") == told["detail"]
    assert f'<option value="{bot.pk}" selected>' in text(refused)
    assert send(browser, bot=bot.pk, key="two").status_code == 303


def test_a_refused_name_and_a_missing_file_are_told_at_their_fields(ann):
    browser = browser_of(ann)
    assert "Choose a program" in shown_error(send(browser, None), "file")
    answer = send(browser, name="<b>\u200b</b>")
    assert "A name has no control" in shown_error(answer, "field-name")
    assert "&lt;b&gt;" in text(answer)
    assert not Bot.objects.exists()


def test_what_is_too_long_is_refused_on_a_page_that_says_how_much_is_allowed(ann):
    answer = send(browser_of(ann), b"x" * (1100 * 1024))
    assert answer.status_code == 413
    assert "text/html" in answer["Content-Type"]
    assert "The request may have 1040 KiB." in text(answer)


def test_an_active_version_enters_what_is_open_or_a_ladder_with_one_click(ann, bob):
    kit.running(bob, name="No more of these")
    cup = kit.open_tournament(bob, "Open cup")
    ladder, _ = kit.running(bob, name="Open ladder", more={"format": "ladder"})
    version = kit.active(ann, "Newcomer")
    browser = browser_of(ann)
    where = f"/versions/{version.pk}/"
    page = text(browser.get(where))
    assert "No more of these" not in page
    for each in (cup, ladder):
        form = re.search(rf'action="(/tournaments/{each.pk}/enter/)">(.*?)</form>', page)
        entered = browser.post(form[1], dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2])))
        assert (entered.status_code, entered["Location"]) == (303, f"/tournaments/{each.pk}/")
    page = text(browser.get(where))
    assert "/enter/" not in page
    assert page.count(">entered<") == 2
    newer, _ = bots.add_version(version.bot, kit.reference_package("highest"))
    bots.finish_check(bots.claim_version(newer.pk))
    page = text(browser.get(f"/versions/{newer.pk}/"))
    for each in (cup, ladder):
        assert f'href="/tournaments/{each.pk}/withdraw/{version.pk}/">Withdraw #1</a>' in page
        browser.post(f"/tournaments/{each.pk}/withdraw/{version.pk}/", {"key": f"{each.pk}"})
    assert text(browser.get(f"/versions/{newer.pk}/")).count("/enter/") == 2


def test_the_stages_pass_one_by_one_on_the_page_and_the_end_says_what_next(ann, bob):
    cup = kit.open_tournament(bob, "Open cup")
    version = kit.received(ann)
    browser = browser_of(ann)
    page = text(browser.get(f"/versions/{version.pk}/"))
    assert "htmx-2.min.js" in page
    assert page.count(">waiting<") == len(Stage)
    where = f"/versions/{version.pk}/check/"
    claim = bots.claim_version(version.pk)
    seen = re.search(r'hx-get="([^"]+)"', text(browser.get(where)))[1]
    assert browser.get(seen).status_code == 204
    bots.record_stage(claim, 0, kit.stage("archive", message="1 file <script>", log="<b>log</b>"))
    part = text(browser.get(seen))
    assert part.count(">passed<") == 1
    assert "1 file &lt;script&gt;" in part
    assert "&lt;b&gt;log&lt;/b&gt;" in part
    assert "hx-trigger" in part
    bots.finish_check(claim)
    part = text(browser.get(seen))
    assert "hx-trigger" not in part
    assert "What next?" in part
    assert cup.name in part
    assert "htmx-2.min.js" not in text(browser.get(f"/versions/{version.pk}/"))


def test_a_rejected_version_tells_why_with_the_log_and_leads_back_to_the_form(ann):
    version = kit.received(ann)
    claim = bots.claim_version(version.pk)
    failed = kit.stage("archive", "failed", code="crash", message="It ended at once.", log="Traceback: x")
    bots.record_stage(claim, 0, failed)
    bots.finish_check(claim)
    page = text(browser_of(ann).get(f"/versions/{version.pk}/"))
    assert "It ended at once." in page
    assert "<details open>" in page
    assert f"/submit/?bot={version.bot_id}" in page
    assert ">not reached<" in page


def test_logs_size_and_program_are_for_the_owner_alone(ann, bob):
    version = kit.active(ann)
    own, his, nobody = browser_of(ann), browser_of(bob), browser_of()
    program = own.get(f"/versions/{version.pk}/source/")
    assert "main.py" in zipfile.ZipFile(io.BytesIO(program.content)).namelist()
    assert "no-store" in program["Cache-Control"]
    assert version.digest in text(own.get(f"/versions/{version.pk}/"))
    for other in (his, nobody):
        page = other.get(f"/versions/{version.pk}/")
        assert page.status_code == 200
        assert version.digest not in text(page)
        assert "<h2>Check</h2>" not in text(page)
    assert his.get(f"/versions/{version.pk}/source/").status_code == 404
    assert nobody.get(f"/versions/{version.pk}/source/").status_code == 302
    waiting = kit.received(ann, "Other")
    assert his.get(f"/versions/{waiting.pk}/").status_code == 404


@pytest.mark.node
def test_a_folder_packed_in_the_browser_is_a_zip_without_what_is_hidden():
    files = {
        "mybot/main.py": PROGRAM,
        "mybot/a/b ö.txt": bytes(range(256)) * 9,
        "mybot/bot.toml": b"",
        "mybot/.git/x": b"x",
    }
    files["mybot/__pycache__/main.pyc"] = b"x"
    cases = [{"path": path, "content": content.hex()} for path, content in files.items()]
    data = bytes.fromhex(node("packed", [cases])[0])
    found = read_zip(data, upload_limits())
    assert found == {"main.py": PROGRAM, "a/b ö.txt": bytes(range(256)) * 9, "bot.toml": b""}
    assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_folder_is_sent_and_its_stages_pass_while_one_looks(ann, walk, tmp_path):
    folder = tmp_path / "mybot"
    folder.mkdir()
    for name, content in languages()["python"].first_bot("Heron").items():
        (folder / name).write_bytes(content)
    page = walk("/submit/", ann)
    page.fill("#field-name", "Heron")
    page.set_input_files("#folder", folder)
    page.wait_for_function("document.getElementById('chosen').textContent.includes('main.py')")
    page.click("text=Send it")
    page.wait_for_url("**/versions/*/")
    version = Version.objects.get()
    assert (version.bot.name, version.language) == ("Heron", "python")
    claim = bots.claim_version(version.pk)
    bots.record_stage(claim, 0, kit.stage("archive", message="1 file."))
    page.wait_for_selector(".stages .good")
    assert page.inner_text(".facts .badge") == "checking"
    bots.finish_check(claim)
    page.wait_for_selector("text=What next?")
    assert page.locator("[hx-trigger]").count() == 0


def dragged(page, *paths):
    """Files and folders are dragged from the desktop into the page."""
    box = page.locator("#drop").bounding_box()
    where = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    devtools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, **where, "data": data})
        if kind == "dragOver":
            page.wait_for_selector("#drop.over")
    page.wait_for_selector("#drop:not(.over)")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_file_and_a_folder_are_dragged_into_the_page_which_says_what_it_has(ann, walk, tmp_path):
    folder, empty, big = tmp_path / "mybot", tmp_path / "empty", tmp_path / "main.py"
    for each in (folder / "lib", folder / ".git", empty):
        each.mkdir(parents=True)
    for name, content in languages()["python"].first_bot("Heron").items():
        (folder / name).write_bytes(content)
    (folder / "lib" / "more.py").write_text("x = 1\n")
    (folder / ".git" / "config").write_text("secret")
    big.write_bytes(b"#" * (upload_limits().upload_bytes + 1))
    page = walk("/submit/", ann, width=390)
    chosen = page.locator("#chosen")
    dragged(page, empty)
    page.wait_for_function("document.getElementById('chosen').textContent.includes('no file in it')")
    dragged(page, big)
    page.wait_for_function("document.getElementById('chosen').textContent.includes('too much')")
    assert chosen.inner_text().startswith("main.py")
    big.write_bytes(PROGRAM)
    dragged(page, big)
    page.wait_for_function("!document.getElementById('chosen').textContent.includes('too much')")
    page.fill("#field-name", "Heron")
    dragged(page, folder)
    page.wait_for_function("document.getElementById('chosen').textContent.includes('lib/more.py')")
    page.click("text=Send it")
    page.wait_for_url("**/versions/*/")
    program = browser_of(ann).get(f"/versions/{Version.objects.get().pk}/source/").content
    sent = zipfile.ZipFile(io.BytesIO(program)).namelist()
    assert {"main.py", "lib/more.py"} <= set(sent)
    assert not any("git" in name for name in sent)
