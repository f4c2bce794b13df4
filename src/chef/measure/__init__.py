"""Numbers only, no models: exact ranks, medR and R@K, folds, intervals and paired tests.

>>> from chef.measure.retrieval import retrieval_ranks, summary
>>> summary(retrieval_ranks(images, recipes, ids, seed=0))["image-to-recipe"]["full"]["medR"]
"""
