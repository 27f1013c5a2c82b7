"""What the sandbox refuses, by whose fault it is.

::

    the user's       UploadError           an upload that breaks a rule of sandbox.package
    the operator's   SandboxUnavailable    no backend works here: strangers' bots are refused
    the platform's   PlatformFailure       (arena.errors) a sandbox that should work did not
"""

from collections.abc import Mapping


class UploadError(ValueError):
    """An upload that is refused.

    Attributes:
        code: a short stable name, such as ``unsafe_path``.
        message: what is wrong, and what would be right; for the uploader.
        where: the entry or the key that it is about; empty when it is the whole upload.
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.code = code
        self.message = message
        self.where = where


class SandboxUnavailable(RuntimeError):
    """No sandbox can be had here.

    Attributes:
        reasons: for each backend that was tried, why it does not work and what to do.
    """

    def __init__(self, reasons: Mapping[str, str]) -> None:
        lines = [f"  {name}: {reason}" for name, reason in reasons.items()]
        super().__init__("no sandbox works here, so bots cannot be run:\n" + "\n".join(lines))
        self.reasons = dict(reasons)
