from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Coalesce


def take_from_the_logs(apps, schema_editor):
    entries = apps.get_model("game", "LogEntry").objects
    last = entries.filter(game=models.OuterRef("pk")).order_by("-seq").values("at")[:1]
    apps.get_model("game", "Game").objects.update(
        last_entry_at=Coalesce(models.Subquery(last), "started_at")
    )


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0002_labels_and_tiers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='aftermath',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='game',
            name='last_entry_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(take_from_the_logs, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='game',
            name='last_entry_at',
            field=models.DateTimeField(),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('counted', True), ('kind', 'casual'), ('status__in', ('playing', 'stuck'))), fields=['last_entry_at'], name='game_counted_running'),
        ),
    ]
