"""Parts of a whole: meshes, what each part has of an array, and the processes that are parts."""
