"""What was sent to the database."""

from django.test.utils import CaptureQueriesContext

VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


def verbs(captured: CaptureQueriesContext) -> list[str]:
    """Of each statement that reads or writes, in order; PostgreSQL is sent several in one go."""
    sent = [sql for query in captured for sql in query["sql"].split("; ")]
    return [verb for sql in sent if (verb := sql.split(" ", 1)[0]) in VERBS]
