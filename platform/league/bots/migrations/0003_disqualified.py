from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('bots', '0002_artefact'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='version',
            name='version_status_known',
        ),
        migrations.AlterField(
            model_name='version',
            name='status',
            field=models.CharField(choices=[('received', 'RECEIVED'), ('checking', 'CHECKING'), ('active', 'ACTIVE'), ('rejected', 'REJECTED'), ('parked', 'PARKED'), ('retired', 'RETIRED'), ('disqualified', 'DISQUALIFIED')], default='received', editable=False, max_length=16),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['active', 'checking', 'disqualified', 'parked', 'received', 'rejected', 'retired'])), name='version_status_known'),
        ),
    ]
