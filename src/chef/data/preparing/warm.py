"""Importing this loads all that a worker needs, so that workers forked afterwards start at once."""

import gensim.models  # noqa: F401

import chef.data.preparing.run  # noqa: F401
from chef.text.lines import parse_line

parse_line("1 cup flour")  # the ingredient parser loads its model on first use: seconds, once
