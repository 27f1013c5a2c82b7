"""The answers to writes, kept for who repeats one (league.api.idempotency)."""

from typing import ClassVar

from django.conf import settings
from django.db import models

KEY_MAX = 200
SHA256_HEX = 64


class Answer(models.Model):
    """What a user's write with this key was answered. It holds no secret: such an answer is not stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=KEY_MAX)
    #: Tells whether a repeat is one: of method, address and body.
    fingerprint = models.CharField(max_length=SHA256_HEX)
    #: Null within the transaction that does the work, and nowhere else.
    status = models.PositiveSmallIntegerField(null=True)
    #: Null where it had a secret.
    body = models.TextField(null=True)  # noqa: DJ001 - empty is an answer without a body
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="answer_key_once")]

    def __str__(self) -> str:
        return f"{self.user}, {self.key}: {self.status}"
