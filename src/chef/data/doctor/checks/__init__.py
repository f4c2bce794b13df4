"""The checks of `chef doctor`: each file looks at one thing."""
