from django.db import transaction
from django.db.models import F
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.minimal.models import Counter, Step


class StepsView(APIView):
    def post(self, request: Request, counter_id: int) -> Response:
        with transaction.atomic():
            Counter.objects.filter(pk=counter_id).update(total=F("total") + 1)
            step = Step.objects.create(counter_id=counter_id, note="step")
        return Response({"id": step.pk})


urlpatterns = [path("counters/<int:counter_id>/steps/", StepsView.as_view())]
