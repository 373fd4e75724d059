// The first lines follow.
