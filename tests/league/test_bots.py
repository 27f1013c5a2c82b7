"""Bots, versions, and the store of their archives."""

import hashlib
import os
import stat

import pytest

from arena.errors import PlatformFailure
from league.accounts.models import User
from league.accounts.services import sign_up
from league.bots import services, store
from league.bots.models import Check, Version
from league.common.errors import ArchiveLost, Conflict, Invalid, Lost, OverQuota
from league.common.text import clean_name, clipped, name_key
from sandbox.package import Package
from sandbox.reference import reference_package
from tests.league import kit
from tests.league.kit import stage

# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Ann", "ANN", "ａｎｎ", "aｎN"])
def test_names_that_look_alike_have_one_key(name):
    assert name_key(name) == "ann"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "   ",
            "a" * 41,
            "a\0b",
            "a\ud800",
            "a\nb",
            "a\u202eb",
            "a\u200bb",
            "\ue000",
            "---",
            "a\u00a0b",
        ),
        *("a\u3164", "a\ufe0f", "\u115fa", "a\u2800b", "a\u034fb", "a\U000e0100", "a\u2003b", "a\ufeff"),
        *("a" + "\u0301" * 5, "\u0301a", "a\u200db", "a\u061cb", "a\tb", "\uffa0a"),
    ],
)
def test_a_name_that_can_not_be_shown_safely_is_refused(name):
    with pytest.raises(Invalid) as refused:
        clean_name(name)
    assert (refused.value.code, refused.value.field) == ("bad_name", "name")


@pytest.mark.parametrize("name", ["Ann", "Großer Bär 2", "ポリニャック", "=1+1", "<b>x</b>"])
def test_other_names_are_kept_as_written(name):
    assert clean_name(f" {name} ") == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("\u0410nna", "mixes Latin and Cyrillic"),
        ("D\u03bfdger", "mixes Latin and Greek"),
        ("Αнна", "mixes Cyrillic and Greek"),
        ("\uff21\u043d", "mixes Latin and Cyrillic"),
        ("\u0430\u0440\u0435 2", "is Cyrillic and looks Latin"),
        ("\u039f\u03a1\u0391", "is Greek and looks Latin"),
        ("\u0451", "is Cyrillic and looks Latin"),
    ],
)
def test_a_new_name_that_can_be_taken_for_another_by_its_letters_is_refused(ann, name, why):
    with pytest.raises(Invalid, match=why) as refused:
        services.create_bot(ann, name)
    assert (refused.value.code, refused.value.field) == ("bad_name", "name")
    with pytest.raises(Invalid, match=why) as refused:
        sign_up(name, "a long enough pass phrase")
    assert (refused.value.code, refused.value.field) == ("bad_name", "username")
    with pytest.raises(Invalid, match=why):
        User.objects.create_user(name)


@pytest.mark.parametrize(
    "name", ["Анна 2", "Ёжик", "Μαρία", "Zoë", "ポリニャック bot", "דוד", "안나 x", "龍 Ω"]
)
def test_a_name_of_one_script_is_taken_whichever_it_is(ann, name):
    assert services.create_bot(ann, name).name == name


def test_a_user_whose_name_was_taken_before_it_was_refused_goes_on(ann):
    User.objects.filter(pk=ann.pk).update(username="\u0430nn")
    old = User.objects.get(pk=ann.pk)
    old.set_password("another pass phrase")
    old.save()
    assert User.objects.get(pk=ann.pk).check_password("another pass phrase")


def test_spaces_that_nobody_sees_make_no_other_name(ann):
    assert clean_name("  Big   Owl ") == "Big Owl"
    services.create_bot(ann, "Big Owl")
    with pytest.raises(Conflict, match="looks like it"):
        services.create_bot(ann, "BIG  OWL")


@pytest.mark.parametrize("name", ["Zoë", "Zoe\u0308", "ZOE\u0308"])
def test_a_letter_and_its_mark_are_one_however_they_are_written(name):
    assert name_key(clean_name(name)) == name_key("zoë")


def test_stored_text_has_no_nul_and_no_lone_surrogate():
    assert clipped("a\0b\ud800c", 100) == "a\ufffdb\ufffdc"
    assert clipped("abcdef", 4) == "abc…"


def test_a_bot_name_is_taken_once_whoever_asks(ann, bob):
    services.create_bot(ann, "Dodger")
    with pytest.raises(Conflict, match="looks like it"):
        services.create_bot(bob, "ＤＯＤＧＥＲ")


# -- the archive store -----------------------------------------------------------------------------------


def test_what_is_stored_comes_back_by_its_hash(settings):
    digest = store.put(b"program")
    assert digest == hashlib.sha256(b"program").hexdigest()
    assert store.get(digest) == b"program"
    assert store.put(b"program") == digest
    [file] = [path for path in settings.DATA_DIR.rglob("*") if path.is_file()]
    assert stat.S_IMODE(file.stat().st_mode) == 0o444


def test_a_missing_or_altered_archive_is_the_platforms_fault(settings):
    digest = store.put(b"program")
    [file] = [path for path in settings.DATA_DIR.rglob("*") if path.is_file()]
    file.chmod(0o644)
    file.write_bytes(b"another")
    with pytest.raises(ArchiveLost, match="not what was stored"):
        store.get(digest)
    assert store.put(b"program") == digest
    assert store.get(digest) == b"program"
    file.unlink()
    with pytest.raises(ArchiveLost, match="can't be read"):
        store.get(digest)


def test_a_failed_write_leaves_nothing_behind(settings, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlatformFailure, match=r"archive_store.*No space"):
        store.put(b"program")
    assert [path for path in settings.DATA_DIR.rglob("*") if path.is_file()] == []


# -- versions --------------------------------------------------------------------------------------------


def test_versions_are_numbered_and_the_newest_sent_again_is_the_same(ann):
    bot = services.create_bot(ann, "Dodger")
    first, new = services.add_version(bot, reference_package("dodger"))
    assert (first.number, first.status, new) == (1, "received", True)
    again, new = services.add_version(bot, reference_package("dodger"))
    assert (again.pk, new) == (first.pk, False)
    second, new = services.add_version(bot, reference_package("lowest"))
    assert (second.number, new) == (2, True)
    third, new = services.add_version(bot, reference_package("dodger"))
    assert (third.number, new) == (3, True)


def test_a_stored_version_is_the_package_that_was_sent(ann):
    version = kit.received(ann)
    assert Package.from_zip(store.get(version.archive)).files == reference_package("dodger").files


def test_the_same_program_of_somebody_else_is_noted_for_an_operator(ann, bob):
    original = kit.received(ann, "Dodger")
    assert kit.received(ann, "Dodger II").same_as is None
    assert kit.received(bob, "Copycat").same_as == original


def test_a_version_whose_stages_all_pass_is_active(ann):
    claim = services.claim_version(kit.received(ann).pk)
    services.record_stage(claim, 1, stage("archive"))
    services.record_stage(claim, 2, stage("table", log="a\0b"))
    version = services.finish_check(claim)
    assert (version.status, version.reason_code, version.lease_until) == ("active", "", None)
    assert [check.log for check in version.checks.all()] == ["", "a\ufffdb"]


def test_a_version_with_a_failed_stage_is_rejected_with_its_reason(ann):
    claim = services.claim_version(kit.received(ann).pk)
    services.record_stage(claim, 1, stage("archive"))
    services.record_stage(
        claim, 2, stage("start", "failed", code="crash", message="It ended with exit code 1.")
    )
    version = services.finish_check(claim)
    assert (version.status, version.reason_code, version.reason) == (
        "rejected",
        "crash",
        "It ended with exit code 1.",
    )


def test_a_rejected_program_may_be_sent_again(ann):
    claim = services.claim_version(kit.received(ann).pk)
    services.record_stage(claim, 1, stage("start", "failed", code="crash"))
    rejected = services.finish_check(claim)
    again, new = services.add_version(rejected.bot, reference_package("dodger"))
    assert (again.number, new) == (2, True)


def test_only_one_of_two_workers_gets_to_check_a_version(ann):
    version = kit.received(ann)
    assert services.claim_version(version.pk) is not None
    assert services.claim_version(version.pk) is None
    assert services.claim_version(10**9) is None


def test_a_worker_that_lost_a_version_can_write_nothing(ann):
    version = kit.received(ann)
    old = services.claim_version(version.pk)
    services.give_back_version(old, "worker_lost")
    new = services.claim_version(version.pk)
    for late in (
        lambda: services.record_stage(old, 1, stage("archive")),
        lambda: services.finish_check(old),
        lambda: services.give_back_version(old, "again"),
    ):
        with pytest.raises(Lost):
            late()
    services.record_stage(new, 1, stage("archive"))
    assert services.finish_check(new).status == "active"


def test_a_new_check_forgets_the_stages_of_the_one_before(ann):
    version = kit.received(ann)
    claim = services.claim_version(version.pk)
    services.record_stage(claim, 1, stage("archive"))
    services.give_back_version(claim, "sandbox_start: no")
    services.claim_version(version.pk)
    assert not Check.objects.filter(version=version).exists()


def test_after_three_failures_of_the_platform_a_version_is_parked_until_an_operator_retries(ann):
    version = kit.received(ann)
    for _ in range(3):
        assert Version.objects.get(pk=version.pk).status == "received"
        services.give_back_version(services.claim_version(version.pk), "sandbox_start: no")
    version = Version.objects.get(pk=version.pk)
    assert (version.status, version.failure) == ("parked", "sandbox_start: no")
    assert services.claim_version(version.pk) is None
    retried = services.retry_version(version, by=ann)
    assert (retried.status, retried.attempt) == ("received", 0)
    assert services.claim_version(version.pk).token > version.token


def test_one_accounts_waiting_checks_are_bounded(ann, bob, settings):
    settings.MAX_WAITING_CHECKS = 2
    bot = services.create_bot(ann, "Prolific")
    first, _ = services.add_version(bot, reference_package("lowest"))
    services.add_version(bot, reference_package("dodger"))
    with pytest.raises(OverQuota, match="waiting_checks: 2 of 2 versions"):
        services.add_version(bot, reference_package("counter"))
    services.add_version(services.create_bot(bob, "Other"), reference_package("counter"))
    claim = services.claim_version(first.pk)
    services.finish_check(claim)
    assert services.add_version(bot, reference_package("counter"))[1]
