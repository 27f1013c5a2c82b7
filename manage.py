#!/usr/bin/env python3
"""Django's command line."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).resolve().parent
    # Python puts this file's folder first on the path, where `platform` (a source root without
    # __init__.py) is a namespace package: a regular module always wins over one, so the standard
    # library's `platform` is safe. `platform/` itself is appended, never put in front.
    sys.path.append(str(root / "platform"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
