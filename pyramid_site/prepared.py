"""Statements whose SQL is built once.

For the ORM to build the SQL of a query takes several times as long as to run it, and each time
comes to the same text. For the few statements that every move sends the text is kept here. They
ask through Django's own cursor, so that transactions, logs and error classes are as always.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Expression, Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class Given(Expression):
    """Stands in a query for a value of some field that is given when the query runs."""

    def __init__(self, name: str, field: "Any") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, *_: Any) -> tuple[str, Any]:
        return "%s", (self,)


class Select(Generic[M]):
    """A query for rows of one model, and of those that `select_related` adds to it.

    `queryset` is called once, and puts `Given` where a value comes later.
    """

    def __init__(self, queryset: Callable[[], QuerySet[M]]) -> None:
        self.queryset = queryset
        self.plan: _Plan[M] | None = None
        self.plan_of_first: _Plan[M] | None = None

    def first(self, **given: Any) -> M | None:
        """The first row in the query's own order, None where there is none."""
        connection = connections[DEFAULT_DB_ALIAS]
        plan = self.plan_of_first = self.plan_of_first or _plan(self.queryset()[:1], connection)
        return next(iter(plan.run(given, connection)), None)

    def all(self, **given: Any) -> list[M]:
        connection = connections[DEFAULT_DB_ALIAS]
        plan = self.plan = self.plan or _plan(self.queryset(), connection)
        return plan.run(given, connection)


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that answers nothing, with its values."""

    sql: str
    params: Sequence[Any]


class Insert(Generic[M]):
    """Adds a row. Its key is not read back, and no signal is sent."""

    def __init__(self, model: type[M]) -> None:
        self.fields = _concrete(
            field for field in model._meta.concrete_fields if not isinstance(field, AutoField)
        )
        columns = ", ".join(f'"{field.column}"' for field in self.fields)
        self.into = f'INSERT INTO "{model._meta.db_table}" ({columns})'
        self.places = ", ".join(["%s"] * len(self.fields))
        self.sql = f"{self.into} VALUES ({self.places})"

    def of(self, row: M) -> Write:
        return Write(self.sql, _values(row, self.fields))


class Update(Generic[M]):
    """Writes some fields of a row that is there. No signal is sent."""

    def __init__(self, model: type[M], names: Iterable[str]) -> None:
        self.model = model
        self.fields = _concrete([*(model._meta.get_field(name) for name in names), model._meta.pk])
        *columns, key = (f'"{field.column}" = %s' for field in self.fields)
        self.sql = f'UPDATE "{model._meta.db_table}" SET {", ".join(columns)} WHERE {key}'  # noqa: S608

    def of(self, row: M) -> Write:
        return Write(self.sql, _values(row, self.fields))


class UpdateAndInsert(Generic[M]):
    """Writes some fields of a row and adds another one, or does neither: where the first row is not
    there, or is not as the caller has seen it, in the fields `seen`. For PostgreSQL."""

    def __init__(self, update: Update[M], seen: Iterable[str], insert: Insert[Any]) -> None:
        self.update, self.insert = update, insert
        self.seen = _concrete(update.model._meta.get_field(name) for name in seen)
        conditions = " AND ".join(f'"{field.column}" = %s' for field in self.seen)
        self.sql = (
            f"WITH updated AS ({update.sql} AND {conditions} RETURNING 1) "  # noqa: S608
            f"{insert.into} SELECT {insert.places} FROM updated"
        )

    def done(self, row: M, added: Model, *seen: Any) -> bool:
        """Whether it was. `seen`: the values, in the order of the fields."""
        connection = connections[DEFAULT_DB_ALIAS]
        conditions = [
            field.get_db_prep_save(value, connection)
            for field, value in zip(self.seen, seen, strict=True)
        ]
        params = [*self.update.of(row).params, *conditions, *self.insert.of(added).params]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, params)
            return bool(cursor.rowcount)


def write(*writes: Write) -> None:
    """In this order; the next one is not done where one fails.

    PostgreSQL is sent them all in one go: the way there and back costs more than what it does for
    each.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if writes and _takes_several(connection):
        writes = (_joined(writes),)
    with connection.cursor() as cursor:
        for each in writes:
            cursor.execute(each.sql, each.params)


def stands_alone() -> bool:
    """Whether a statement now is a transaction of its own, in a database that takes several in one
    go: there an `UpdateAndInsert` does alone what a transaction is for."""
    connection = connections[DEFAULT_DB_ALIAS]
    return not connection.in_atomic_block and _takes_several(connection)


def _takes_several(connection: BaseDatabaseWrapper) -> bool:
    """PostgreSQL does, as long as the values are sent as part of the text."""
    return not getattr(connection.features, "uses_server_side_binding", True)


def _joined(writes: Sequence[Write]) -> Write:
    params = [param for each in writes for param in each.params]
    return Write("; ".join(each.sql for each in writes), params)


def _concrete(fields: Iterable[Any]) -> list[Any]:
    """Fields that are a column of the model's own table; `Any`, as their stubs know none."""
    return list(fields)


def _values(row: Model, fields: Sequence[Any]) -> list[Any]:
    connection = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


@dataclass(frozen=True, slots=True)
class _Plan(Generic[M]):
    sql: str
    params: tuple[Any, ...]
    model: type[M]
    names: list[str]  # of the model's own columns, which come first in a row
    related: Sequence[Any]
    converters: Sequence[tuple[int, tuple[Sequence[Callable[..., Any]], Any]]]  # by column

    def run(self, given: dict[str, Any], connection: BaseDatabaseWrapper) -> list[M]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.filled(given, connection))
            return [self.instance(row, connection) for row in cursor.fetchall()]

    def filled(self, given: dict[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [
            param.field.get_db_prep_value(given[param.name], connection)
            if isinstance(param, Given)
            else param
            for param in self.params
        ]

    def instance(self, row: Sequence[Any], connection: BaseDatabaseWrapper) -> M:
        if self.converters:
            row = list(row)
            for column, (converters, expression) in self.converters:
                for converter in converters:
                    row[column] = converter(row[column], expression, connection)
        instance = self.model.from_db(connection.alias, self.names, row[: len(self.names)])
        for populator in self.related:
            populator.populate(row, instance)
        return instance


def _plan(queryset: QuerySet[M], connection: BaseDatabaseWrapper) -> _Plan[M]:
    """As Django's own `ModelIterable` reads a compiled query."""
    compiler = queryset.query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    selected = [expression for expression, *_ in compiler.select]
    own = compiler.klass_info["select_fields"]
    return _Plan(
        sql=sql,
        params=params,
        model=queryset.model,
        names=[selected[column].target.attname for column in own],
        related=get_related_populators(  # type: ignore[call-arg]  # the stubs are of Django 6
            compiler.klass_info, compiler.select, connection.alias
        ),
        converters=list(compiler.get_converters(selected).items()),
    )
