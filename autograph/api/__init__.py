"""What users call: functions that are compiled when they are called (`function`), in `recording/`
and `calls/`, by the passes of the `pipeline`; transforms of them, `derivatives/` and `vmap`; files
of them, `saving/`; and what tells about them, `explaining` and `stages`."""
