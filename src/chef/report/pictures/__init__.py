"""The pictures of the page, drawn as SVG or HTML by our own code: nothing is loaded from anywhere."""
