"""Data: prepared sets, splits, images, batches, the doctor, the generated kitchen."""
