"""Builds the images that bots run in.

    python -m sandbox.containers.images build [--language NAME ...] [--base IMAGE] [--from-debian]

Each language's Dockerfile takes its base as an argument. Where no registry answers, a base is made of
Debian packages with debootstrap (as root). Nothing needs the network while an image is built.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import docker
import docker.errors

from arena.errors import PlatformFailure
from sandbox.containers.engine import ENGINE_ERRORS, connect, short
from sandbox.languages import Language, languages

LAUNCHER: Final = "/usr/local/bin/polignac-launch"
_SOURCE = Path(__file__).with_name("launcher.c")
_COMPILERS = ("musl-gcc", "cc", "gcc", "clang")
_BASE = "polignac-base"
_PACKAGES_LABEL = "polignac.packages"
_SUITE = "bookworm"
_LEFT_OUT = (
    "./var/cache/apt/*",
    "./var/lib/apt/lists/*",
    "./usr/share/doc/*",
    "./usr/share/man/*",
    "./var/log/*",
)


class BuildError(RuntimeError):
    """An image could not be built; the text says what is missing."""


def build(
    client: docker.APIClient, names: Sequence[str], *, base: str | None = None, from_debian: bool = False
) -> list[str]:
    """Build the images of some languages.

    Args:
        base: the image to build all of them from; the language's own otherwise.
        from_debian: don't ask a registry, make a base of Debian packages at once.

    Returns:
        Their tags.

    Raises:
        BuildError: a tool is missing, or a build failed.
    """
    wanted = [languages()[name] for name in names]
    launcher = compile_launcher()
    made: str | None = base
    tags = []
    for language in wanted:
        found = base or (None if from_debian else _pull(client, language.base_image))
        if found is None:
            made = made or debian_base(client, wanted)
            found = made
        _build_one(client, language, found, launcher)
        tags.append(language.image)
    return tags


def compile_launcher() -> bytes:
    """The launcher as a static program, so that it runs in any image.

    Raises:
        BuildError: there is no C compiler that can link statically.
    """
    compiler = next((found for name in _COMPILERS if (found := shutil.which(name))), None)
    if compiler is None:
        raise BuildError("no C compiler; install musl-tools or gcc")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "launcher"
        options = ["-static", "-Os", "-s", "-Wall", "-Werror", "-o", str(target), str(_SOURCE)]
        done = subprocess.run([compiler, *options], capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise BuildError(f"{compiler} can't make a static program: {done.stderr[-400:]}")
        return target.read_bytes()


def debian_base(client: docker.APIClient, wanted: Sequence[Language]) -> str:
    """An image of Debian packages that holds what these languages need; an earlier one is used again.

    Raises:
        BuildError: not root, no debootstrap, or it failed.
    """
    packages = sorted({package for language in wanted for package in language.debian_packages})
    try:
        labels = client.inspect_image(_BASE)["Config"]["Labels"] or {}  # type: ignore[no-untyped-call]
        if set(packages) <= set(labels.get(_PACKAGES_LABEL, "").split(",")):
            return _BASE
    except docker.errors.ImageNotFound:
        pass
    debootstrap = shutil.which("debootstrap") or shutil.which("debootstrap", path="/usr/sbin:/sbin")
    if debootstrap is None or os.getuid() != 0:
        raise BuildError("no registry answers; making a base of Debian packages needs root and debootstrap")
    with tempfile.TemporaryDirectory(prefix="polignac-base-") as folder:
        print(f"making a base image of Debian packages: {', '.join(packages)}", flush=True)  # noqa: T201
        command = [debootstrap, "--variant=minbase", f"--include={','.join(packages)}", _SUITE, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise BuildError(f"debootstrap failed: {(done.stdout + done.stderr)[-600:]}")
        _import(client, folder, packages)
    return _BASE


def _import(client: docker.APIClient, folder: str, packages: Sequence[str]) -> None:
    command = ["tar", "-C", folder, *(f"--exclude={pattern}" for pattern in _LEFT_OUT), "-c", "."]
    changes = [f"LABEL {_PACKAGES_LABEL}={','.join(packages)}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as tar:  # noqa: S603
        client.import_image_from_stream(tar.stdout, repository=_BASE, tag="latest", changes=changes)
    if tar.returncode:
        raise BuildError(f"tar ended with {tar.returncode}")


def _pull(client: docker.APIClient, image: str) -> str | None:
    """The image where a registry has it, or where it is here already."""
    try:
        client.inspect_image(image)  # type: ignore[no-untyped-call]
    except docker.errors.ImageNotFound:
        try:
            repository, _, tag = image.partition(":")
            client.pull(repository, tag=tag or "latest")
        except ENGINE_ERRORS as error:
            print(f"{image} can't be had: {short(error)}", flush=True)  # noqa: T201
            return None
    return image


def _build_one(client: docker.APIClient, language: Language, base: str, launcher: bytes) -> None:
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        for name, data, mode in (
            ("Dockerfile", (language.folder / "Dockerfile").read_bytes(), 0o644),
            ("polignac-launch", launcher, 0o755),
        ):
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), mode
            tar.addfile(info, io.BytesIO(data))
    context.seek(0)
    lines = client.build(
        fileobj=context,
        custom_context=True,
        tag=language.image,
        buildargs={"BASE": base},
        network_mode="none",
        rm=True,
        forcerm=True,
        decode=True,
    )
    for line in lines:
        if "error" in line:
            raise BuildError(f"{language.image}: {line['error'].strip()}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 with the reason when something is missing."""
    parser = argparse.ArgumentParser(prog="python -m sandbox.containers.images")
    parser.add_argument("action", choices=["build"])
    parser.add_argument(
        "--language", action="append", choices=sorted(languages()), help="default: those of language.toml"
    )
    parser.add_argument("--base", help="the image to build from, instead of each language's own")
    parser.add_argument("--from-debian", action="store_true", help="ask no registry; use debootstrap (root)")
    options = parser.parse_args(arguments)
    try:
        names = options.language or [each.name for each in languages().values() if each.image_by_default]
        tags = build(connect(), names, base=options.base, from_debian=options.from_debian)
    except (BuildError, PlatformFailure, *ENGINE_ERRORS) as error:
        print(f"no images: {error}", file=sys.stderr)  # noqa: T201
        return 1
    print("built " + ", ".join(tags))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
