"""Games of before tell what counted of them, as those from now on do."""

from django.db import migrations


def tell(apps, schema_editor):
    results = apps.get_model("leaderboards", "DailyResult").objects.select_related("game")
    for result in results.iterator():
        best = {
            name: getattr(result, name) for name in ("removed", "elapsed_ms", "moves", "undos")
        }
        result.game.aftermath.setdefault("best", {**best, "hints": int(result.assisted)})
        result.game.save(update_fields=["aftermath"])


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0003_bucket_levels"), ("game", "0006_dailies_close")]

    operations = [migrations.RunPython(tell, migrations.RunPython.noop)]
