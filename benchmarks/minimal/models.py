from django.db import models, transaction
from django.db.models import F


class Counter(models.Model):
    total = models.IntegerField(default=0)

    class Meta:
        app_label = "minimal"


class Step(models.Model):
    counter = models.ForeignKey(Counter, on_delete=models.CASCADE)
    note = models.CharField(max_length=20)

    class Meta:
        app_label = "minimal"


@transaction.atomic
def step(counter_id: int) -> Step:
    """What the peers write: one UPDATE and one INSERT."""
    Counter.objects.filter(pk=counter_id).update(total=F("total") + 1)
    return Step.objects.create(counter_id=counter_id, note="step")
