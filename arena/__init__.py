"""Polignac: the game, its referee and its mathematics.

Nothing in here knows of Django, Celery or Docker, reads a clock or draws a random number of its own:
time and chance are handed in.
"""
