from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.minimal.models import step


class StepsView(APIView):
    def post(self, request: Request, counter_id: int) -> Response:
        return Response({"id": step(counter_id).pk})


urlpatterns = [path("counters/<int:counter_id>/steps/", StepsView.as_view())]
