"""What tells those who look on that something changed: live listeners and webhooks.

They never decide anything: whoever sends doesn't know who hears, and all holds without a receiver.
"""

from django.dispatch import Signal

#: Sent inside the transaction that makes the change, by `sender`, the row's class, with
#:
#: `row`: as it is now; of a set that moved at once, one of it (`common.lifecycle.move_all`).
#: `what`: its new status; "stage" of a version when a stage of its check is known; "played" of a match when
#: it is stored; "published" of a snapshot when it is the current one.
#:
#: What a receiver raises breaks the transaction; what must not happen without the commit waits for it
#: (`transaction.on_commit`).
changed = Signal()
