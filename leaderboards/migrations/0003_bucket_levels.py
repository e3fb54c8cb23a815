"""Buckets at several levels; what they count is counted anew."""

from django.db import migrations, models

# How many of a key's lowest bits they leave out, by span.
BEFORE = {"day": (30,), "week": (22,), "month": (22,)}
AFTER = {"day": (46, 33, 26), "week": (39, 22, 13), "month": (39, 22, 13)}


def counting(levels, column):
    return [
        f"""
        INSERT INTO leaderboards_bucket (board_id, {column[0]} number, count)
        SELECT board_id, {column[1].format(level=level)} key >> {bits}, COUNT(*)
        FROM leaderboards_standing
        JOIN leaderboards_board ON leaderboards_board.id = board_id
        WHERE key >= 0 AND span = '{span}' GROUP BY board_id, key >> {bits}
        """
        for span, ranges in levels.items()
        for level, bits in enumerate(ranges)
    ]


def hold(apps, schema_editor):
    """Who ends a game meanwhile waits, and this waits for nobody who waits for it."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("LOCK TABLE leaderboards_bucket IN ACCESS EXCLUSIVE MODE")


class Migration(migrations.Migration):
    dependencies = [("leaderboards", "0002_results")]

    operations = [
        migrations.RunPython(hold, migrations.RunPython.noop),
        migrations.RunSQL(["DELETE FROM leaderboards_bucket"], counting(BEFORE, ("", ""))),
        migrations.RemoveConstraint("bucket", "bucket_once"),
        migrations.AddField(
            "bucket", "level", models.PositiveSmallIntegerField(default=0), preserve_default=False
        ),
        migrations.AddConstraint(
            "bucket",
            models.UniqueConstraint(fields=("board", "level", "number"), name="bucket_once"),
        ),
        migrations.RunSQL(
            counting(AFTER, ("level,", "{level},")), ["DELETE FROM leaderboards_bucket"]
        ),
    ]
