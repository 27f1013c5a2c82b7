# What 0003 has filled in is there from now on.

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_fill'),
    ]

    operations = [
        migrations.AlterField(
            model_name='group',
            name='seatings',
            field=models.PositiveSmallIntegerField(),
        ),
        migrations.AlterField(
            model_name='table',
            name='boards',
            field=models.PositiveSmallIntegerField(),
        ),
        migrations.AlterField(
            model_name='table',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tournaments.tournament'),
        ),
    ]
