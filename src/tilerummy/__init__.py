"""Tile rummy: rules, solver, bots and tables for every rulebook's game."""

__version__ = "0.1.0"
