import accounts.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def make_keys(apps, schema_editor):
    """Until now there were guests only, whose names differ in every letter's look."""
    users = apps.get_model("accounts", "User").objects
    for user in users.iterator():
        user.save(update_fields=["name_key"])


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(max_length=20, unique=True, verbose_name='name'),
        ),
        migrations.AddField(
            model_name='user',
            name='name_key',
            field=accounts.models.NameKeyField(editable=False, max_length=120, null=True),
        ),
        migrations.RunPython(make_keys, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name='user',
            name='name_key',
            field=accounts.models.NameKeyField(editable=False, max_length=120, unique=True),
        ),
        migrations.CreateModel(
            name='Settings',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='settings', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('zh-hans', '简体中文'), ('zh-hant', '繁體中文'), ('ru', 'Русский'), ('ja', '日本語')], max_length=10)),
                ('four_colours', models.BooleanField(default=False)),
                ('point_values', models.BooleanField(default=True)),
                ('left_handed', models.BooleanField(default=False)),
                ('motion', models.CharField(choices=[('system', 'System'), ('full', 'Full'), ('reduced', 'Reduced')], default='system', max_length=10)),
                ('hide_opponent', models.BooleanField(default=False)),
                ('private', models.BooleanField(default=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('language__in', ['', 'en', 'zh-hans', 'zh-hant', 'ru', 'ja']), ('motion__in', ['system', 'full', 'reduced'])), name='settings_known')],
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules_key', models.CharField(choices=[('classic', 'classic'), ('blind', 'blind'), ('open', 'open'), ('open-2', 'open-2'), ('open-1', 'open-1'), ('overlap', 'overlap'), ('overlap-1', 'overlap-1'), ('strict', 'strict')], max_length=20)),
                ('tier', models.CharField(choices=[('easy', 'Easy'), ('standard', 'Standard'), ('random', 'Random')], max_length=10)),
                ('played', models.PositiveIntegerField(default=0)),
                ('won', models.PositiveIntegerField(default=0)),
                ('current_streak', models.PositiveIntegerField(default=0)),
                ('best_streak', models.PositiveIntegerField(default=0)),
                ('fastest_win_ms', models.PositiveBigIntegerField(null=True)),
                ('fewest_moves', models.PositiveIntegerField(null=True)),
                ('best_against_par', models.PositiveIntegerField(null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='records', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'rules_key', 'tier'), name='record_one_per_tier'), models.CheckConstraint(condition=models.Q(('best_streak__lte', models.F('won')), ('current_streak__lte', models.F('best_streak')), ('won__lte', models.F('played'))), name='record_adds_up'), models.CheckConstraint(condition=models.Q(models.Q(('best_against_par', None), ('fastest_win_ms', None), ('fewest_moves', None), ('won', 0)), models.Q(('fastest_win_ms__isnull', False), ('fewest_moves__isnull', False), ('won__gt', 0)), _connector='OR'), name='record_bests_are_of_wins')],
            },
        ),
    ]
