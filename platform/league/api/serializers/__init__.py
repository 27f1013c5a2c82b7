"""What goes in and what comes out: one module a topic."""
