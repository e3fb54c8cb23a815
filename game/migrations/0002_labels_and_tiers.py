from django.db import migrations, models


def tell_the_winners(apps, schema_editor):
    """A log that ends with a win tells that the deal can be won."""
    apps.get_model("game", "Game").objects.filter(status="won").update(label="winnable")


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='label',
            field=models.CharField(blank=True, choices=[('winnable', 'winnable'), ('unwinnable', 'unwinnable'), ('unknown', 'unknown')], max_length=10),
        ),
        migrations.AddField(
            model_name='game',
            name='label_after',
            field=models.CharField(blank=True, choices=[('winnable', 'winnable'), ('unwinnable', 'unwinnable'), ('unknown', 'unknown')], max_length=10),
        ),
        migrations.AddField(
            model_name='game',
            name='label_before',
            field=models.CharField(blank=True, choices=[('winnable', 'winnable'), ('unwinnable', 'unwinnable'), ('unknown', 'unknown')], max_length=10),
        ),
        migrations.AlterField(
            model_name='game',
            name='tier',
            field=models.CharField(blank=True, choices=[('easy', 'Easy'), ('standard', 'Standard'), ('random', 'Random')], max_length=10),
        ),
        migrations.AlterField(
            model_name='logentry',
            name='detail',
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('label__in', ['', 'winnable', 'unwinnable', 'unknown']), ('label_after__in', ['', 'winnable', 'unwinnable', 'unknown']), ('label_before__in', ['', 'winnable', 'unwinnable', 'unknown'])), name='game_labels_known'),
        ),
        migrations.RunPython(tell_the_winners, migrations.RunPython.noop, elidable=True),
    ]
