"""What CHEF knows about foods: groups, kinds, families, measures and canonical names."""
