"""The experiments of the paper, one file each, one protocol."""
