"""Live events: what changes on the site, told to those who listen (server-sent events).

    subjects.py  what can be listened to: its state, who may see it, when it is over
    events.py    a state as an event; the wire format
    nudges.py    a change, told to every process of the site through Redis
    hub.py       in each process: one watch a subject, many listeners
    answers.py   the answer to a request for events, as far as Django gives it
    stream.py    how the answer goes on

A stream tells states, not a log: each event is what GET of the subject would answer now, and its id is a
hash of that. So nothing has to be kept for a listener who comes back: it is told the present state, unless
`Last-Event-ID` says that it has that. A nudge only wakes; what is watched is also looked at every few
seconds, so that all holds without Redis.
"""
