"""Numbers only, no models: exact ranks, medR and R@K, folds, intervals and paired tests.

>>> from chef.measure.retrieval import retrieval
>>> retrieval(images, recipes, ids, seed=0)["image-to-recipe"]["full"]["medR"]
"""
