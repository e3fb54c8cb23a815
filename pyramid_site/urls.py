from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import JavaScriptCatalog
from drf_spectacular.views import SpectacularSwaggerSplitView

from accounts import language
from pyramid_site import health, pages
from pyramid_site.schema import SchemaView

handler400 = "pyramid_site.errors.bad_request"
handler404 = "pyramid_site.errors.page_not_found"
handler500 = "pyramid_site.errors.server_error"

docs = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(  # Swagger UI styles its elements inline
    SpectacularSwaggerSplitView.as_view(url_name="schema")
)

api: list[URLPattern | URLResolver] = [
    path("", include("accounts.api.urls")),
    path("", include("game.api.urls")),
    path("", include("leaderboards.api.urls")),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", docs, name="docs"),
    path("problems/", pages.problems, name="problems"),
]

urlpatterns = [
    path("", include("game.urls")),
    path("", include("leaderboards.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("_allauth/", include("allauth.headless.urls")),
    path("api/v1/", include(api)),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("i18n/setlang/", language.choose, name="set_language"),
    path("jsi18n/", JavaScriptCatalog.as_view(), name="javascript-catalog"),
]
