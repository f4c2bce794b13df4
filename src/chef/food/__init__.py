"""What CHEF knows about foods, from the tables in `tables/`.

canonical   names and their canonical ingredient: `CanonicalMap.load().token("spring onions")`
kinds       what a food is used as, and which states fit it: `kind_of`, `fits`
groups      what a food is made of, for filters: `has("dairy", token)`, `is_one`
families    what counts as chicken, beef, pork, fish, apple in swaps: `family`, `members`
words       cuts, pieces, derived foods, ambiguous words
measures    household measures of foods: `match`
units       spellings of units, and weights: `unit_of`, `grams`
"""
