"""Fetch axe-core, which the tests of the pages look for faults of accessibility with, from the npm registry.

Run as `python -m scripts.axe`; it is kept in .venv, and quick when it is there. It is not ours (MPL-2.0), and
nothing of it goes into the project or onto its pages.
"""

import base64
import hashlib
import io
import os
import sys
import tarfile
from pathlib import Path
from typing import Final

import requests

VERSION: Final = "4.14.1"
#: Of the package, as the registry gives it.
SHA512: Final = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
WAIT_S: Final = 60
SCRIPT: Final = Path(__file__).resolve().parent.parent / f".venv/axe-core/{VERSION}.min.js"


def fetch() -> None:
    """Put the script in its place. Raises OSError, and ValueError for another package."""
    registry = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org/").rstrip("/")
    answer = requests.get(f"{registry}/axe-core/-/axe-core-{VERSION}.tgz", timeout=WAIT_S)
    answer.raise_for_status()
    if base64.b64encode(hashlib.sha512(answer.content).digest()).decode() != SHA512:
        raise ValueError("it is not the package that is pinned")
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        SCRIPT.parent.mkdir(parents=True, exist_ok=True)
        made = SCRIPT.with_suffix(".new")
        made.write_bytes(member.read())
        made.replace(SCRIPT)


def main() -> int:
    """Fetch it unless it is there. Give the exit code."""
    if SCRIPT.is_file():
        return 0
    try:
        fetch()
    except (OSError, ValueError) as error:
        print(f"axe-core was not fetched: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
