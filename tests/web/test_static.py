"""Static files as production names them."""

import re
import shutil

from django.core.files.storage import FileSystemStorage

from league.web.storage import HashedStorage
from tests.web.kit import ROOT, STATIC


def test_modules_import_each_other_by_names_with_hashes(tmp_path):
    copied = tmp_path / "web"
    shutil.copytree(STATIC, copied)
    names = [str(path.relative_to(tmp_path)) for path in copied.rglob("*.js")]
    storage = HashedStorage(location=str(tmp_path), base_url="/static/")
    for name, _, processed in storage.post_process(
        {name: (FileSystemStorage(tmp_path), name) for name in names}
    ):
        assert not isinstance(processed, Exception), name
    replay = storage.stored_name("web/js/replay.js")
    imported = re.findall(r'from "\./([^"]+)"', (tmp_path / replay).read_text())
    assert len(imported) == 4
    for name in imported:
        assert re.fullmatch(r"\w+\.[0-9a-f]{12}\.js", name)
        assert (copied / "js" / name).is_file()


def test_production_names_them_so():
    settings = ROOT / "platform/league/settings/production.py"
    assert f'"{HashedStorage.__module__}.{HashedStorage.__name__}"' in settings.read_text()
