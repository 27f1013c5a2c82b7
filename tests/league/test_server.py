"""What a process of the site does before it answers."""

import gc

from league import server


def test_what_a_process_has_loaded_is_looked_at_by_no_later_collection():
    loaded = len(gc.get_objects())
    try:
        server.post_worker_init(None)
        assert gc.get_freeze_count() > loaded / 2
        assert len(gc.get_objects()) < loaded / 2
    finally:
        gc.unfreeze()
