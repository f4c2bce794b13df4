"""The painter: a height field, materials, and one light."""
