"""The only bridge from league to sandbox and arena: submit, check; plan, play, store, rate; reconcile."""
