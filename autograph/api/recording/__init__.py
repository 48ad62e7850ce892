"""From a function and its arguments to what is compiled for them: a recording, and another if it
turns out to need more (`recorded`, in one of the `ways`), with some arguments fixed (`options`);
compiled for a call and kept for those like it (`cached`, `kept`), or without a call (`ahead`)."""
