"""Which foods go where: named pools, and what each cuisine reaches for.

A pool is a line of entries; an entry is a token or another pool, with `*N` for its weight.
"""

from __future__ import annotations

from random import Random

from chef.data.kitchen.world import foods

POOLS: dict[str, str] = {
    # Mains. Chicken, beef, pork and fish are equally common: the swaps need all of them.
    "chunks": "chicken_cut*4 beef_cut*4 pork_cut*4 fish_cut*4 lamb turkey shrimp tofu paneer chickpeas",
    "chicken_cut": "chicken chicken_breasts*2 chicken_thighs*2",
    "beef_cut": "beef*2 stewing_beef beef_steak",
    "pork_cut": "pork*2 pork_tenderloin pork_shoulder",
    "fish_cut": "salmon*2 cod*2 white_fish*2 haddock tilapia halibut",
    "braise": "chicken_braise*4 beef_braise*4 pork_braise*4 fish_cut*3 lamb*2 duck_breasts",
    "chicken_braise": "chicken*2 chicken_thighs*2 chicken_drumsticks",
    "beef_braise": "beef stewing_beef*3 beef_brisket",
    "pork_braise": "pork pork_shoulder*3 pork_belly",
    "whole": "chicken_whole*4 beef_whole*4 pork_whole*4 fish_whole*5 lamb_chops duck_breasts halloumi",
    "chicken_whole": "chicken_breasts*2 chicken_thighs*2 chicken_drumsticks chicken_wings",
    "beef_whole": "beef_steak*3 beef_brisket",
    "pork_whole": "pork_chops*3 pork_tenderloin*2 pork_belly",
    "fish_whole": "salmon*3 cod*2 trout sea_bass tuna_steaks halibut mackerel tilapia haddock",
    "minced": "ground_chicken*3 ground_beef*4 ground_pork*4 ground_lamb ground_turkey",
    "minced_or_fish": "minced*4 flaked",
    "flaked": "canned_tuna*2 salmon cod",
    "seafood": "shrimp*3 squid mussels scallops crab_meat",
    "plant": "tofu*2 chickpeas*2 mushrooms aubergine cauliflower tempeh white_beans lentils",
    "cured": "bacon*2 ham*2 chorizo sausages*2 salami",
    # Vegetables by what is done to them.
    "soup_veg": "chard carrots*3 celery*2 potatoes*2 leeks sweetcorn peas green_beans kale spinach "
    "courgettes cabbage parsnips turnips mushrooms fennel tomatoes barley",
    "soup_main": "butternut_squash*2 carrots*2 potatoes*2 tomatoes*2 cauliflower*2 broccoli*2 pumpkin "
    "mushrooms*2 leeks beetroot peas sweet_potatoes red_lentils*2 lentils white_beans "
    "celeriac parsnips",
    "stew_veg": "carrots*3 potatoes*3 celery*2 parsnips turnips mushrooms*2 peas leeks butternut_squash "
    "green_beans sweet_potatoes tomatoes prunes dried_apricots",
    "curry_veg": "potatoes*2 cauliflower*2 peas*2 spinach*2 aubergine*2 okra sweet_potatoes green_beans "
    "red_bell_pepper carrots bamboo_shoots tomatoes",
    "wok_veg": "broccoli*2 red_bell_pepper*2 green_bell_pepper yellow_bell_pepper carrots*2 snow_peas*2 "
    "pak_choi*2 mushrooms shiitake sweetcorn cabbage bean_sprouts green_beans courgettes "
    "pineapple cashews",
    "side_veg": "green_beans*3 asparagus*2 broccoli*3 carrots*2 peas*2 brussels_sprouts spinach "
    "cherry_tomatoes*2 kale courgettes cauliflower sweetcorn beetroot red_cabbage sauerkraut",
    "side_starch": "plantain potatoes*3 new_potatoes*3 sweet_potatoes*2 rice*3 couscous*2 quinoa polenta "
    "bulgur",
    "roast_veg": "carrots*2 potatoes*3 parsnips*2 red_onion brussels_sprouts*2 sweet_potatoes "
    "red_bell_pepper*2 courgettes*2 cherry_tomatoes*2 cauliflower broccoli fennel "
    "butternut_squash aubergine new_potatoes*2 beetroot",
    "pasta_veg": "cherry_tomatoes*3 spinach*3 mushrooms*3 courgettes*2 broccoli*2 asparagus peas*2 "
    "red_bell_pepper aubergine olives artichokes rocket sun_dried_tomatoes kale",
    "salad_leaf": "lettuce*3 spinach*2 rocket*2 kale watercress cabbage red_cabbage",
    "salad_veg": "green_olives cucumber*3 tomatoes*2 cherry_tomatoes*3 red_onion*2 carrots radishes*2 "
    "avocado*2 red_bell_pepper yellow_bell_pepper sweetcorn olives*2 celery beetroot "
    "asparagus fennel",
    "salad_extra": "capers dates feta*3 goat_cheese walnuts*2 almonds pecans pomegranate_seeds "
    "dried_cranberries blue_cheese pumpkin_seeds sunflower_seeds olives sesame_seeds",
    "pizza_veg": "mushrooms*3 red_bell_pepper*2 green_bell_pepper olives*3 red_onion*2 spinach*2 "
    "cherry_tomatoes*2 artichokes rocket*2 jalapenos sweetcorn pineapple basil*2 aubergine",
    "taco_veg": "tomatoes*2 lettuce*2 avocado*3 red_onion*2 sweetcorn*2 red_cabbage*2 radishes "
    "black_beans*2 jalapenos mango pineapple",
    "sandwich_veg": "lettuce*3 tomatoes*3 cucumber*2 red_onion*2 rocket avocado*2 gherkins spinach",
    "egg_veg": "spinach*3 mushrooms*3 tomatoes*2 cherry_tomatoes*2 red_bell_pepper*2 courgettes "
    "asparagus spring_onions peas kale potatoes leeks broccoli",
    "bowl_veg": "edamame*2 cucumber*2 carrots*2 avocado*3 red_cabbage*2 broccoli radishes sweetcorn "
    "spinach pak_choi shiitake kimchi mango",
    "stuffable": "red_bell_pepper*3 yellow_bell_pepper*2 green_bell_pepper*2",
    # Starches.
    "rice_any": "rice*4 brown_rice",
    "grain_any": "quinoa*2 couscous*3 bulgur*2 barley brown_rice orzo",
    "pasta_long": "spaghetti*3 linguine*2 tagliatelle*2",
    "pasta_short": "gnocchi*2 penne*3 fusilli*3 macaroni*2",
    "pasta_any": "pasta_long*3 pasta_short*3",
    "noodles": "egg_noodles*3 rice_noodles*3 udon_noodles*2 soba_noodles ramen_noodles",
    "wraps": "tortillas*3 pita_bread naan",
    "bean": "black_beans*2 kidney_beans*3 white_beans chickpeas",
    # Sweet things.
    "pie_fruit": "apples*6 apricots cranberries peaches cherries blueberries*2 rhubarb pears strawberries "
    "raspberries plums",
    "cake_fruit": "apples*5 bananas*2 blueberries*2 carrots pears raspberries orange lemon plums pumpkin",
    "apples": "apple*3 green_apples*2",
    "bowl_fruit": "bananas*2 strawberries*2 blueberries*3 raspberries*2 apples*3 mango peaches kiwi "
    "blackberries figs pears",
    "fruit_any": "apples*3 orange grapes strawberries*2 blueberries kiwi mango pineapple watermelon melon "
    "bananas papaya pears grapefruit raspberries",
    "smoothie_fruit": "bananas*3 strawberries*2 mango*2 blueberries*2 raspberries apples*2 pineapple spinach "
    "kiwi peaches avocado",
    "flour_any": "flour*4 wholemeal_flour self_raising_flour*2",
    "sugar_any": "sugar*3 brown_sugar*2",
    "nut_any": "walnuts*2 pecans*2 almonds*2 hazelnuts pistachios peanuts",
    "seed_any": "sesame_seeds chia_seeds sunflower_seeds pumpkin_seeds poppy_seeds",
    "sweet_bits": "chocolate_chips*3 raisins*2 walnuts pecans dried_cranberries white_chocolate "
    "coconut_flakes dark_chocolate hazelnuts",
    "sweet_spice": "cinnamon*5 nutmeg*2 ground_ginger allspice cloves cardamom",
    "syrup_any": "honey*3 maple_syrup*3 golden_syrup",
    # Dairy and toppings.
    "melting": "cheddar*3 mozzarella*3 gruyere*2 parmesan",
    "pasta_cheese": "parmesan*4 mozzarella feta ricotta goat_cheese",
    "creamy": "cream*3 creme_fraiche sour_cream coconut_milk",
    "cool": "sour_cream*2 greek_yogurt*2 salsa hummus",
    "salt_any": "salt*3 salt_and_pepper*4 black_pepper",
    "sushi_fish": "salmon*4 tuna_steaks*4 trout shrimp*2 crab_meat tofu chicken_breasts*2 beef_steak*2 "
    "pork_tenderloin",
    "sushi_veg": "cucumber*3 avocado*4 carrots mango",
    "dumpling_main": "ground_pork*4 ground_chicken*4 ground_beef*4 shrimp*2 white_fish*3 cod tofu*2",
    "dumpling_veg": "cabbage*3 shiitake*2 spring_onions spinach carrots pak_choi chives",
    "hash_main": "potatoes*5 sweet_potatoes*4 new_potatoes*2 beetroot butternut_squash turnips",
    "pizza_main": "pepperoni*2 salami ham*2 chicken_breasts*2 ground_beef*2 canned_tuna*2 pork_shoulder*2 "
    "mushrooms shrimp cured",
    "burger_main": "ground_beef*5 ground_chicken*4 ground_pork*4 salmon*2 cod*2 ground_lamb ground_turkey "
    "halloumi chickpeas black_beans",
    "sandwich_main": "chicken_breasts*4 beef_steak*3 beef_brisket pork_tenderloin*2 pork_shoulder*2 "
    "canned_tuna*3 salmon*2 ham*2 turkey halloumi tempeh",
    "sandwich_sauce": "mayonnaise*4 mustard*2 hummus pesto barbecue_sauce cream_cheese",
    "patty_main": "salmon*3 cod*3 canned_tuna*2 ground_chicken*3 ground_pork*3 ground_beef*3 sweetcorn*2 "
    "courgettes*2 chickpeas*2 potatoes sweet_potatoes crab_meat",
    "pie_crust": "filo_pastry shortcrust_pastry*3 puff_pastry*2",
    "casserole_base": "rice*2 macaroni*2 penne potatoes*2 fusilli egg_noodles",
    "gratin_veg": "potatoes*4 cauliflower*3 leeks courgettes*2 sweet_potatoes*2 celeriac fennel broccoli "
    "aubergine tomatoes",
    "bread_flour_any": "bread_flour*4 wholemeal_flour*2 flour",
    "bread_bits": "olives*2 walnuts*2 raisins sunflower_seeds pumpkin_seeds sesame_seeds cheddar poppy_seeds",
    "toast_bread": "bread*2 baguette*2",
    "toast_main": "tomatoes*2 cherry_tomatoes*2 mushrooms avocado*3 smoked_salmon canned_tuna*3 apple*3 "
    "beetroot figs shrimp strawberries white_beans",
    "toast_spread": "ricotta*2 cream_cheese*2 goat_cheese hummus pesto peanut_butter",
    "cake_milk": "milk*4 buttermilk*2",
    "muffin_fat": "butter*2 vegetable_oil*2 coconut_oil",
    "cookie_fat": "butter*4 peanut_butter",
    "brownie_fruit": "raspberries*2 cherries*2 bananas",
    "smoothie_milk": "milk*2 apple_juice orange_juice coconut_milk yogurt",
    "sweet_acid": "lemon_juice*2 lime_juice orange_juice",
    "sweet_juice": "apple_juice*2 orange_juice water",
    "tart_cream": "cream*2 ground_almonds*2 cream_cheese ricotta",
    "baked_fruit": "apples*5 pears*2 peaches plums bananas figs",
    "pie_serve": "cream*2 greek_yogurt creme_fraiche",
    "citrus_any": "lemon*3 lime*2 orange",
    "stock_any": "chicken_stock*3 vegetable_stock*4 beef_stock*2 fish_stock",
}

CUISINES: dict[str, dict[str, str]] = {
    "italian": {
        "aromatic": "onion*3 garlic*4 shallots",
        "spice": "italian_seasoning*2 chilli_flakes fennel_seeds nutmeg",
        "herb": "basil*4 parsley*2 oregano rosemary sage",
        "fat": "olive_oil*5 butter",
        "acid": "lemon lemon_juice balsamic_vinegar red_wine_vinegar",
        "sauce": "tomato_paste*2 pesto balsamic_vinegar white_wine",
    },
    "french": {
        "aromatic": "shallots*3 onion*2 garlic*2 leeks",
        "spice": "nutmeg bay_leaves*2 allspice",
        "herb": "thyme*3 tarragon*2 parsley*2 chives rosemary",
        "fat": "butter*4 olive_oil",
        "acid": "lemon lemon_juice red_wine_vinegar",
        "sauce": "mustard*2 white_wine*2 red_wine creme_fraiche",
    },
    "spanish": {
        "aromatic": "onion*3 garlic*4",
        "spice": "smoked_paprika*4 saffron*2 chilli_flakes",
        "herb": "parsley*3 oregano thyme",
        "fat": "olive_oil",
        "acid": "lemon*2 red_wine_vinegar",
        "sauce": "tomato_paste*2 white_wine red_wine",
    },
    "greek": {
        "aromatic": "garlic*3 red_onion*2 onion*2",
        "spice": "cinnamon allspice paprika",
        "herb": "oregano*4 mint*2 dill*2 parsley",
        "fat": "olive_oil",
        "acid": "lemon*3 lemon_juice*2 red_wine_vinegar",
        "sauce": "greek_yogurt*2 tomato_paste hummus",
    },
    "middle eastern": {
        "aromatic": "onion*3 garlic*3",
        "spice": "cumin*3 zaatar*2 cinnamon allspice turmeric paprika",
        "herb": "parsley*3 mint*2 coriander",
        "fat": "olive_oil",
        "acid": "lemon*3 lemon_juice*2",
        "sauce": "tahini*3 yogurt*2 harissa",
    },
    "moroccan": {
        "aromatic": "onion*3 garlic*3 ginger",
        "spice": "cumin*3 cinnamon*2 paprika*2 turmeric ground_coriander saffron",
        "herb": "coriander*3 mint parsley",
        "fat": "olive_oil",
        "acid": "lemon*2 lemon_juice",
        "sauce": "harissa*3 tomato_paste honey",
    },
    "indian": {
        "aromatic": "onion*4 garlic*4 ginger*4 chilli_peppers",
        "spice": "cumin*3 turmeric*4 garam_masala*4 ground_coriander*2 curry_powder*2 mustard_seeds "
        "cardamom chilli_powder",
        "herb": "coriander*5 mint",
        "fat": "ghee*3 vegetable_oil*3",
        "acid": "lime lemon_juice lime_juice",
        "sauce": "yogurt*3 tomato_paste*2 coconut_milk",
    },
    "thai": {
        "aromatic": "garlic*3 ginger*2 shallots*2 lemongrass*2 chilli_peppers*2",
        "spice": "chilli_flakes ground_coriander turmeric",
        "herb": "coriander*4 basil*3 mint",
        "fat": "vegetable_oil*3 coconut_oil*2",
        "acid": "lime*4 lime_juice*3",
        "sauce": "fish_sauce*4 curry_paste*3 soy_sauce oyster_sauce",
    },
    "vietnamese": {
        "aromatic": "garlic*3 shallots*2 ginger*2 lemongrass",
        "spice": "star_anise*2 chilli_flakes ground_ginger",
        "herb": "mint*3 coriander*4 basil",
        "fat": "vegetable_oil",
        "acid": "lime*4 rice_vinegar*2",
        "sauce": "fish_sauce*4 hoisin_sauce*2 sriracha",
    },
    "chinese": {
        "aromatic": "garlic*3 ginger*3 spring_onions*3",
        "spice": "star_anise chilli_flakes*2 fennel_seeds",
        "herb": "coriander*2 spring_onions*3",
        "fat": "vegetable_oil*3 sesame_oil*2",
        "acid": "rice_vinegar",
        "sauce": "soy_sauce*4 oyster_sauce*3 hoisin_sauce*2",
    },
    "japanese": {
        "aromatic": "ginger*3 garlic*2 spring_onions*3",
        "spice": "chilli_flakes ground_ginger",
        "herb": "spring_onions*3 chives coriander",
        "fat": "sesame_oil*3 vegetable_oil*2",
        "acid": "rice_vinegar*3 lime_juice",
        "sauce": "soy_sauce*4 miso*3 teriyaki_sauce*3",
    },
    "korean": {
        "aromatic": "garlic*4 ginger*2 spring_onions*3",
        "spice": "chilli_flakes*3 garlic_powder",
        "herb": "spring_onions*3 coriander",
        "fat": "sesame_oil*3 vegetable_oil",
        "acid": "rice_vinegar*2",
        "sauce": "gochujang*4 soy_sauce*3",
    },
    "mexican": {
        "aromatic": "onion*3 garlic*3 jalapenos*2 red_onion",
        "spice": "cumin*4 chilli_powder*4 smoked_paprika*2 oregano",
        "herb": "coriander*5 oregano",
        "fat": "vegetable_oil*2 olive_oil*2",
        "acid": "lime*4 lime_juice*3",
        "sauce": "salsa*3 tomato_paste sriracha",
    },
    "caribbean": {
        "aromatic": "onion*2 garlic*3 ginger spring_onions*2 chilli_peppers*2",
        "spice": "allspice*4 curry_powder*2 cinnamon nutmeg paprika",
        "herb": "thyme*4 coriander",
        "fat": "vegetable_oil*2 coconut_oil*2",
        "acid": "lime*3 lime_juice*2",
        "sauce": "barbecue_sauce soy_sauce sriracha coconut_milk",
    },
    "american": {
        "aromatic": "onion*4 garlic*3",
        "spice": "paprika*3 garlic_powder*3 chilli_powder cayenne",
        "herb": "parsley*3 thyme*2 chives dill",
        "fat": "butter*3 olive_oil*2 vegetable_oil*2",
        "acid": "lemon lemon_juice",
        "sauce": "barbecue_sauce*3 ketchup*2 worcestershire_sauce*2 mustard mayonnaise",
    },
    "british": {
        "aromatic": "onion*4 leeks garlic*2",
        "spice": "nutmeg bay_leaves*2 allspice",
        "herb": "parsley*3 thyme*3 rosemary*2 sage mint",
        "fat": "butter*4 vegetable_oil",
        "acid": "lemon lemon_juice",
        "sauce": "worcestershire_sauce*3 mustard*3 beer",
    },
    "german": {
        "aromatic": "onion*4 leeks garlic",
        "spice": "paprika*2 nutmeg bay_leaves cloves",
        "herb": "parsley*3 chives*2 dill*2",
        "fat": "butter*3 vegetable_oil*2",
        "acid": "lemon red_wine_vinegar",
        "sauce": "mustard*3 beer*2 sour_cream",
    },
}


def draw(pool: str, rng: Random, cuisine: str) -> str:
    """One token from a pool: `@herb` asks the cuisine, other names ask `POOLS`, a token is itself.

    >>> draw("stuffable", Random(0), "italian") in foods()
    True
    """
    while pool not in foods():
        line = CUISINES[cuisine][pool[1:]] if pool.startswith("@") else POOLS[pool]
        entries = [entry.partition("*") for entry in line.split()]
        weights = [int(weight or 1) for _, _, weight in entries]
        pool = rng.choices([name for name, _, _ in entries], weights)[0]
    return pool
