"""One file a revision. What is here is never changed: a change is a new file."""
