"""Several runs do one piece of work together without talking to each other: claims and signs of life."""
