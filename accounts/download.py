"""A player's own data as a file, by whichever door it is asked for."""

from django.http import StreamingHttpResponse
from django.utils import timezone

from accounts.models import User
from accounts.services.export import export_of


def download(player: User) -> StreamingHttpResponse:
    name = f"pyramid-{timezone.now():%Y-%m-%d}.json"
    return StreamingHttpResponse(
        export_of(player=player),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
