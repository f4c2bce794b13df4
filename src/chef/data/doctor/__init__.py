"""The doctor: finds broken, doubled and odd recipes and photos."""

from chef.data.doctor.examine import Report, examine

__all__ = ["Report", "examine"]
