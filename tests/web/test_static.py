"""Static files as production names them."""

import re

from django.core.files.storage import storages
from django.core.management import call_command

from league.web.storage import HashedStorage
from tests.web.kit import ROOT

NAME = f"{HashedStorage.__module__}.{HashedStorage.__name__}"


def test_all_files_are_collected_and_our_modules_import_each_other_by_hashed_names(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {"staticfiles": {"BACKEND": NAME}}
    call_command("collectstatic", interactive=False, verbosity=0)
    replay = storages["staticfiles"].stored_name("web/js/replay.js")
    imported = re.findall(r'from "\./([^"]+)"', (tmp_path / replay).read_text())
    assert len(imported) == 4
    for name in imported:
        assert re.fullmatch(r"\w+\.[0-9a-f]{12}\.js", name)
        assert (tmp_path / "web/js" / name).is_file()


def test_production_names_them_so():
    assert f'"{NAME}"' in (ROOT / "platform/league/settings/production.py").read_text()
