"""A form's options as data: a field each."""

from dataclasses import dataclass
from typing import TypeAlias

#: Values, each with its text.
Choices: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Option:
    """An option: its field. `versions`: how many bots it names, None where it is a number, a choice or a
    text; 0: any number."""

    name: str
    label: str
    hint: str = ""
    usual: str = ""
    choices: Choices = ()
    versions: int | None = None
    #: How long what is typed is, as a rule.
    size: int = 6

    @property
    def first(self) -> str:
        """What is in the field before anything is typed."""
        return self.usual or (self.choices[0][0] if self.choices else "")
