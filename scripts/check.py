"""`make check`: what can be said of the code without testing it. One failure does not hide the others."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CODE = ("arena", "sandbox", "client", "platform/league", "demo", "bench", "scripts", "manage.py")

# Production refuses to start without these; none of them is secret, and nothing is served.
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "league.settings.production",
    "SECRET_KEY": "only-for-the-deployment-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "league.example",
    "DATABASE_URL": "sqlite:///:memory:",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}

MANAGE = (sys.executable, "manage.py")
STEPS: dict[str, tuple[tuple[str | Path, ...], dict[str, str]]] = {
    "format": ((BIN / "ruff", "format", "--check", "."), {}),
    "lint": ((BIN / "ruff", "check", "."), {}),
    "types": ((BIN / "mypy", *CODE), {}),
    "import contracts": ((BIN / "lint-imports",), {"PYTHONPATH": str(ROOT / "platform")}),
    "migrations": ((*MANAGE, "makemigrations", "--check", "--dry-run"), {}),
    "API schema": ((*MANAGE, "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull), {}),
    "deployment": ((*MANAGE, "check", "--deploy", "--fail-level", "WARNING"), PRODUCTION),
}


def run(name: str) -> bool:
    """Run one step; print its output only when it fails. Give whether it passed."""
    command, extra = STEPS[name]
    started = time.monotonic()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | extra,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    passed = done.returncode == 0
    print(f"{'ok  ' if passed else 'FAIL'} {name} ({time.monotonic() - started:.1f} s)", flush=True)
    if not passed:
        print(done.stdout.rstrip(), flush=True)
    return passed


def main() -> int:
    """Run every step. Give the exit code: 1 when any of them failed."""
    failed = [name for name in STEPS if not run(name)]
    if failed:
        print(f"\nmake check: failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
