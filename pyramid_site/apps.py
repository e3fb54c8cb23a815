from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "pyramid_site"
