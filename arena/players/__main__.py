"""A reference player as a program: `python -m arena.players NAME` speaks the protocol on its pipes."""

import json
import sys

from arena.players import REFERENCE


def main(arguments: list[str]) -> int:
    """Play until the referee says bye or closes the pipe; 2 when the name is not a reference player's."""
    if len(arguments) != 1 or arguments[0] not in REFERENCE:
        print(f"usage: python -m arena.players {'|'.join(REFERENCE)}", file=sys.stderr)  # noqa: T201
        return 2
    player = REFERENCE[arguments[0]]()
    for line in sys.stdin:
        message = json.loads(line)
        reply = player.handle(message)
        if reply is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()
        if message.get("type") == "bye":
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
