from django.db import models


class Counter(models.Model):
    total = models.IntegerField(default=0)

    class Meta:
        app_label = "minimal"


class Step(models.Model):
    counter = models.ForeignKey(Counter, on_delete=models.CASCADE)
    note = models.CharField(max_length=20)

    class Meta:
        app_label = "minimal"
