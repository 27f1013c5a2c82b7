"""The verbs that speak to a server, one module a group of them."""
