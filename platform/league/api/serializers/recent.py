"""How a version did lately."""

from typing import Any

from rest_framework import serializers

from league.api.serializers.common import RowOut, VersionRef
from league.matches.recent import LATEST


class OutingOut(RowOut):
    """A match from a version's side."""

    match = serializers.IntegerField()
    tournament = serializers.IntegerField()
    board_id = serializers.IntegerField()
    group = serializers.IntegerField(help_text="the group's number")
    board = serializers.IntegerField(help_text="the board's number")
    variant = serializers.CharField()
    players = serializers.IntegerField()
    deals = serializers.IntegerField()
    seat = serializers.IntegerField()
    total = serializers.IntegerField()
    others = serializers.FloatField(help_text="the mean total of the others at the table")
    rank = serializers.IntegerField()
    faults = serializers.IntegerField()
    vacated = serializers.BooleanField()


class MeanOut(RowOut):
    """How some of its matches went."""

    matches = serializers.IntegerField()
    points = serializers.FloatField(help_text="penalty points a deal")
    others = serializers.FloatField(help_text="points a deal of the others at the table")
    difference = serializers.FloatField(help_text="points a deal more than the others: below 0 is good")
    difference_low = serializers.FloatField(
        allow_null=True, help_text="of the 95 % interval; null for one match"
    )
    difference_high = serializers.FloatField(allow_null=True)
    rank = serializers.FloatField(help_text="the mean one")
    wins = serializers.IntegerField(help_text="matches ranked first, alone or shared")
    faults = serializers.IntegerField()


class OnSeatOut(MeanOut):
    """On one seat, under one variant, with so many players."""

    variant = serializers.CharField()
    players = serializers.IntegerField()
    seat = serializers.IntegerField()


class OnBoardOut(MeanOut):
    """On one board."""

    tournament = serializers.IntegerField()
    board_id = serializers.IntegerField()
    group = serializers.IntegerField(help_text="the group's number")
    board = serializers.IntegerField(help_text="the board's number")


class RecentOut(serializers.Serializer[Any]):
    """A version's latest matches."""

    version = VersionRef()
    matches = serializers.IntegerField(help_text=f"that were looked at: {LATEST} at the most")
    seats = OnSeatOut(many=True)
    best = OnBoardOut(many=True, help_text="boards on which it did best, compared with the others there")
    worst = OnBoardOut(many=True)
    lost = OutingOut(many=True, help_text="the matches in which it was furthest behind the others")
    faulty = OutingOut(many=True, help_text="the latest with faults")
