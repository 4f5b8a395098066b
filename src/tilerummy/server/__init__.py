"""The server: rooms, their store, their clock, and the doors to them."""
