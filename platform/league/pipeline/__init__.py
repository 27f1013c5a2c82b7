"""The only bridge between league, sandbox and arena: submit → check; plan → play → store → rate; reconcile."""
