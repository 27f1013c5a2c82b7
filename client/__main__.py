"""`python -m client` is the `polignac` command."""

import sys

from client.cli import main

if __name__ == "__main__":
    sys.exit(main())
