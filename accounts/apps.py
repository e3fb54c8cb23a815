from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import live
        from accounts.services import records

        records.listen()
        live.listen()
