"""What stands in an address of the game."""


class NumberConverter:
    """Any whole number: one that no deal has gets an answer that says so."""

    regex = r"-?[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
