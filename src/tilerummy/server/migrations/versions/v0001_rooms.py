"""Rooms, players and what belongs to them."""

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("listing", sa.JSON, nullable=False),
        sa.Column("due_at", sa.Double),
        sa.Column("due_task", sa.Text),
        sa.Column("lease_until", sa.Double, nullable=False, server_default="0"),
        sa.Column("lease_node", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
        sa.UniqueConstraint("code", name="uq_rooms_code"),
    )
    op.create_index("ix_rooms_due_at", "rooms", ["due_at"])
    op.create_index("ix_rooms_public_created_at", "rooms", ["public", "created_at"])
    op.create_table(
        "events",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("cause", sa.JSON),
        sa.Column("player", sa.Text),
        sa.PrimaryKeyConstraint("room", "version", name="pk_events"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_events_room"),
    )
    op.create_table(
        "answers",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("command_id", sa.Text, nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("room", "player", "command_id", name="pk_answers"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_answers_room"),
    )
    op.create_index("ix_answers_at", "answers", ["at"])
    op.create_table(
        "drafts",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("room", name="pk_drafts"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_drafts_room"),
    )
    op.create_table(
        "seats",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("room", "player", name="pk_seats"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_seats_room"),
    )
    op.create_index("ix_seats_player", "seats", ["player"])
    op.create_table(
        "presence",
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("node", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("room", "player", "node", name="pk_presence"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_presence_room"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.ForeignKeyConstraint(["owner"], ["players.id"], name="fk_players_owner"),
        sa.CheckConstraint("kind IN ('guest', 'bot', 'local')", name="ck_players_kind"),
    )
    op.create_index("ix_players_owner", "players", ["owner"])
    op.create_table(
        "links",
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("used_at", sa.Double),
        sa.PrimaryKeyConstraint("token_hash", name="pk_links"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_links_player"),
    )
    op.create_index("ix_links_player", "links", ["player"])
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player"),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
