"""Recorded results: what the public functions returned, to be compared bit for bit."""
