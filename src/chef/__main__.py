"""`python -m chef`: the same commands as `chef`."""

from chef.cli import main

if __name__ == "__main__":
    main()
