"""Image towers: networks that turn pictures into pooled features."""
