"""The images are built from any base that has the language, without a network."""

import contextlib
import re
import subprocess

import docker.errors
import pytest

from sandbox.languages import languages

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def client():
    from sandbox.containers.engine import connect

    connection = connect()
    yield connection
    connection.close()


def test_the_launcher_is_a_static_program_that_refuses_to_run_alone(tmp_path):
    from sandbox.containers.images import compile_launcher

    program = tmp_path / "launch"
    program.write_bytes(compile_launcher())
    program.chmod(0o755)
    linked = subprocess.run(["ldd", program], capture_output=True, text=True)
    assert re.search("not a dynamic executable|statically linked", linked.stdout + linked.stderr)
    assert subprocess.run([program]).returncode == 125
    assert subprocess.run([program, "/no/such/socket", "true"]).returncode == 125


def test_an_image_is_built_from_a_base_given_by_name(docker_backend, client):
    from sandbox.containers.images import build

    language = languages()["python"]
    before = client.inspect_image(language.image)["Id"]
    try:
        assert build(client, ["python"], base=language.image) == [language.image]
        assert docker_backend.available() is None
    finally:
        # Each build on top of the last would pile up layers.
        after = client.inspect_image(language.image)["Id"]
        client.tag(before, language.image, force=True)
        with contextlib.suppress(docker.errors.APIError):  # something else here was built on it
            client.remove_image(after)
    assert client.inspect_image(language.image)["Id"] == before


def test_an_image_has_no_setuid_files(docker_backend, client):
    for language in (each for each in languages().values() if each.image_by_default):
        made = client.create_container(language.image, ["find", "/", "-xdev", "-perm", "/6000", "-type", "f"])
        client.start(made)
        client.wait(made)
        assert client.logs(made) == b""
        client.remove_container(made)


def test_a_missing_tool_is_named(monkeypatch, capsys):
    from sandbox.containers import images

    monkeypatch.setattr(images.shutil, "which", lambda name, path=None: None)
    assert images.main(["build", "--language", "python", "--from-debian"]) == 1
    assert "install musl-tools or gcc" in capsys.readouterr().err
