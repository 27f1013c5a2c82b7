"""Beside the site: the `polignac` command for bot authors, and a client of the league's REST API."""
