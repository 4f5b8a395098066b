"""The tables, the same in SQLite and PostgreSQL; times are seconds since 1970, as the clocks of the nodes say."""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    false,
)

__all__ = [
    "answers",
    "drafts",
    "events",
    "links",
    "metadata",
    "players",
    "presence",
    "rooms",
    "seats",
    "secrets",
    "tokens",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text, unique=True),
    Column("version", Integer, nullable=False),
    Column("stage", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("listing", JSON, nullable=False),
    Column("due_at", Double),
    Column("due_task", Text),
    Column("lease_until", Double, nullable=False, server_default="0"),
    Column("lease_node", Text),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
)
Index("ix_rooms_due_at", rooms.c.due_at)
Index("ix_rooms_public_created_at", rooms.c.public, rooms.c.created_at)

events = Table(
    "events",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("cause", JSON(none_as_null=True)),
    Column("player", Text),
    PrimaryKeyConstraint("room", "version"),
)

answers = Table(
    "answers",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), nullable=False),
    Column("player", Text, nullable=False),
    Column("command_id", Text, nullable=False),
    Column("answer", JSON, nullable=False),
    Column("at", Double, nullable=False),
    PrimaryKeyConstraint("room", "player", "command_id"),
)
Index("ix_answers_at", answers.c.at)

drafts = Table(
    "drafts",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("data", JSON, nullable=False),
    Column("at", Double, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), nullable=False),
    Column("player", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    PrimaryKeyConstraint("room", "player"),
)
Index("ix_seats_player", seats.c.player)

presence = Table(
    "presence",
    metadata,
    Column("room", Text, ForeignKey("rooms.id"), nullable=False),
    Column("player", Text, nullable=False),
    Column("node", Text, nullable=False),
    Column("until", Double, nullable=False),
    PrimaryKeyConstraint("room", "player", "node"),
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, CheckConstraint("kind IN ('guest', 'bot', 'local')", name="kind"), nullable=False),
    Column("owner", Text, ForeignKey("players.id")),
    Column("created_at", Double, nullable=False),
    Column("seen_at", Double, nullable=False),
    Column("deleted", Boolean, nullable=False, server_default=false()),
)
Index("ix_players_owner", players.c.owner)

links = Table(
    "links",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("used_at", Double),
)
Index("ix_links_player", links.c.player)

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False),
    Column("label", Text, nullable=False),
    Column("created_at", Double, nullable=False),
)
Index("ix_tokens_player", tokens.c.player)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
