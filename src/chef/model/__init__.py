"""Models: trees, encoders of each part of a recipe, image towers, and the joint model of both."""
