"""Pools and ratings."""

from rest_framework import serializers

from league.api.fields import RulesField
from league.api.serializers.common import OF_VERSION, OfVersion
from league.ratings.models import Pool, Rating


class PoolOut(serializers.ModelSerializer[Pool]):
    """A pool of ratings."""

    rules = RulesField()
    versions = serializers.IntegerField(help_text="how many are rated")

    class Meta:
        model = Pool
        fields = (
            "id",
            "variant",
            "players",
            "rules",
            "versions",
            "matches",
            "results_hash",
            "rated_at",
            "created_at",
        )


class RatingOut(OfVersion, serializers.ModelSerializer[Rating]):
    """A place in a pool."""

    class Meta:
        model = Rating
        fields = ("pool", "place", "elo", "matches", "wins", *OF_VERSION)
