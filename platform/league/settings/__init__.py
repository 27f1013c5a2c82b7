"""Settings: `dev` (the default), `production`, `test`; each begins with `base`."""
