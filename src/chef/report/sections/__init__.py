"""The sections of the page, one for each experiment of the paper."""
