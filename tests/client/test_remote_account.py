"""`polignac login`, `logout`, `servers`, `tokens`: typed against a real site."""

import json
import stat

import pytest

from tests.support.wire import answering

PASSWORD = "correct horse battery"


def file(home):
    return home / "polignac" / "servers.json"


def test_signing_up_keeps_a_token_that_only_its_owner_can_read(site, polignac, home):
    code, out, err = polignac("login", site, "--new", typed=f"ann\n{PASSWORD}\n")
    assert (code, out, err) == (0, f"You are ann at {site}.\n", "")
    assert stat.S_IMODE(file(home).stat().st_mode) == 0o600
    assert stat.S_IMODE(file(home).parent.stat().st_mode) == 0o700
    assert PASSWORD not in file(home).read_text()
    assert polignac("bots")[0] == 0


def test_logging_in_again_and_out(site, polignac, as_user, home):
    as_user("ann")
    as_user("ann")
    token = json.loads(file(home).read_text())["accounts"][site]["token"]
    code, out, _ = polignac("logout")
    assert (code, out) == (0, f"You are logged out of {site}.\n")
    assert token not in file(home).read_text()
    code, _, err = polignac("bots", "--server", site)
    assert code == 2
    assert "Log in: polignac login" in err
    code, _, err = polignac("login", site, "--token", typed=token)
    assert code == 2
    assert polignac("logout")[0] == 2


def test_a_token_is_enough_from_a_pipe_or_from_the_environment(site, polignac, as_user, home, monkeypatch):
    as_user("ann")
    token = json.loads(file(home).read_text())["accounts"][site]["token"]
    file(home).unlink()
    assert polignac("bots")[0] == 2
    code, out, _ = polignac("login", site + "/api/v1/", "--token", "--json", typed=f"{token}\n")
    assert (code, json.loads(out)) == (0, {"server": site, "username": "ann"})
    file(home).unlink()
    monkeypatch.setenv("POLIGNAC_SERVER", site)
    monkeypatch.setenv("POLIGNAC_TOKEN", token)
    assert polignac("bots")[0] == 0


def test_a_wrong_password_is_the_sites_answer_and_keeps_nothing(site, polignac, as_user, home):
    as_user("ann")
    file(home).unlink()
    code, out, err = polignac("login", site, "--name", "ann", typed="wrong\n")
    assert (code, out) == (1, "")
    assert "bad_credentials" in err
    assert not file(home).exists()


def test_several_servers_the_last_one_is_meant_and_may_be_changed(site, polignac, as_user):
    as_user("ann")
    with answering((200, {}, {"username": "eve"})) as other:
        assert polignac("login", other.url, "--token", typed="t0ken\n")[0] == 0
        code, out, _ = polignac("servers", "--json")
        assert code == 0
        assert json.loads(out) == [
            {"server": site, "username": "ann", "current": False},
            {"server": other.url, "username": "eve", "current": True},
        ]
        assert polignac("servers", site)[0] == 0
        seen = len(other.seen)
        assert polignac("bots")[0] == 0
        assert len(other.seen) == seen
        assert polignac("servers", "https://elsewhere.example")[0] == 2


def test_what_a_site_calls_itself_can_not_steer_the_terminal(polignac):
    with answering((200, {}, {"username": "\x1b[2Jeve\n"})) as site:
        code, out, _ = polignac("login", site.url, "--token", typed="t\n")
    assert code == 0
    assert out == f"You are \\x1b[2Jeve\\n at {site.url}.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["login", "ftp://league.example"], "no address of a server"),
        (["login", "https://ann:secret@league.example"], "no address of a server"),
        (["login", "https://league.example", "--token", "--new"], "leave the other options out"),
        (["login", "https://league.example", "--token", "--days", "1"], "leave the other options out"),
        (["login", "https://league.example"], "no name was given"),
        (["login"], "polignac login --help"),
        (["logout"], "you are not logged in"),
        (["bots"], "which server?"),
        (["submit", "x.py"], "which server?"),
    ],
)
def test_what_makes_no_sense_is_said_with_what_would(arguments, says, polignac):
    code, out, err = polignac(*arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_a_damaged_file_is_said(polignac, home):
    file(home).parent.mkdir()
    file(home).write_text("{}")
    code, _, err = polignac("servers")
    assert code == 2
    assert "is damaged" in err


def test_where_nobody_answers_the_code_says_try_again(polignac, monkeypatch):
    monkeypatch.setattr("client.server.connection._PATIENCE_S", 0.0)
    code, _, err = polignac("bots", "--all", "--server", "http://127.0.0.1:9")
    assert code == 3
    assert "does not answer" in err
    with answering((503, {"Retry-After": "900"}, {})) as site:
        code, _, err = polignac("bots", "--all", "--server", site.url)
    assert code == 3
    assert "asked again in 900 s" in err


# -- tokens --------------------------------------------------------------------------------------------------


def test_logging_in_makes_a_token_as_wanted_and_logging_out_ends_it(site, polignac, as_user):
    from league.accounts.models import Token

    as_user("ann")
    assert Token.objects.get().name.startswith("polignac on ")
    typed = f"{PASSWORD}\n"
    wanted = ("--label", "a look", "--scope", "read", "--days", 1)
    assert polignac("login", site, "--name", "ann", *wanted, typed=typed)[0] == 0
    code, out, _ = polignac("whoami")
    assert code == 0
    assert out.startswith("You are ann.\nYour token “a look” is good for read, until ")
    assert " open_tournaments " in out
    code, _, err = polignac("tournament", "create", "Cup")
    assert code == 1
    assert "This needs a token with the scope organise; yours has read. (scope_missing)" in err
    assert polignac("logout")[0] == 0
    assert not Token.objects.filter(name="a look").exists()


def test_a_token_for_something_else_is_made_listed_and_revoked(site, polignac, as_user):
    as_user("ann")
    typed, wanted = f"{PASSWORD}\n", ("--label", "CI", "--scope", "submit", "--scope", "read")
    code, out, err = polignac("tokens", "new", *wanted, typed=typed)
    assert (code, len(out.split())) == (0, 1)
    assert "it is shown this once" in err
    rows = json.loads(polignac("tokens", "list", "--json")[1])
    assert [(row["name"], row["scopes"], row["current"]) for row in rows[1:]] == [
        ("CI", ["read", "submit"], False)
    ]
    assert polignac("tokens", "list")[1].count("polignac on ") == 1
    assert polignac("tokens", "revoke", rows[1]["id"])[:2] == (0, "It has ended.\n")
    code, _, err = polignac("login", site, "--token", typed=out)
    assert (code, "bad_token" in err) == (2, True)
    assert polignac("tokens", "revoke")[0] == 2
    assert polignac("tokens", "revoke", "--all")[0] == 0
    assert polignac("whoami")[0] == 2


def test_a_new_password_ends_all_tokens_and_logs_in_again(site, polignac, as_user, home):
    as_user("ann")
    old = json.loads(file(home).read_text())["accounts"][site]["token"]
    code, out, err = polignac("password", typed=f"{PASSWORD}\nanother long one\n")
    assert (code, "logged in again" in out) == (0, True), err
    assert json.loads(file(home).read_text())["accounts"][site]["token"] != old
    assert json.loads(polignac("whoami", "--json")[1])["username"] == "ann"


def test_a_quota_that_is_used_up_is_told_at_once_and_not_waited_for(site, polignac, as_user, settings):
    as_user("ann")
    settings.MAX_OPEN_TOURNAMENTS = 0
    code, _, err = polignac("tournament", "create", "Cup")
    assert code == 1
    assert "open_tournaments: 0 of 0 tournaments are used" in err
    assert "Trying again" not in err
