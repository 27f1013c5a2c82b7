"""`python -m arena` is the `polignac` command.

It lives in `client` because it needs the sandbox too: the one import that goes against the rings.
"""

import sys

from client.cli import main

if __name__ == "__main__":
    sys.exit(main())
