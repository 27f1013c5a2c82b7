"""Docker: bots in containers, with a cap on all of their memory and users of their own."""
