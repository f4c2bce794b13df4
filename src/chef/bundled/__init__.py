"""What comes with the package: trained models and a cookbook."""
