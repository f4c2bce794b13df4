"""Training: losses, miners, objectives, the loop, several processes."""
