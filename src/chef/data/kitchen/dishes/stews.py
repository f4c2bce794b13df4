"""Stews, curries and what else simmers."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "stew",
        "soup",
        """
        main     braise      1    700-1200 body    simmered
        veg      stew_veg    2-4  100-300  body    simmered
        aromatic @aromatic   1-2  .        hidden  fried
        liquid   stock_any   1    250-500  sauce   boiled
        thick    tomato_paste 0-1  20-40    tint    raw
        flour    flour       0-1  15-30    hidden  raw
        fat      @fat        1    .        hidden  raw
        sauce    @sauce      0-1  .        tint    raw
        spice    @spice      0-2  .        tint    raw
        herb     @herb       1    .        top     raw
        """,
        """
        season/rub main with season
        ? toss main with flour
        heat/melt fat in pot
        brown/sear main in pot
        chop/dice aromatic+veg
        cook/fry aromatic in pot
        stir/add thick+sauce+spice in pot
        pour/add liquid in pot
        simmer/braise/stew =stew
        add veg in pot
        ? reduce =sauce
        serve/ladle =stew
        scatter herb
        """,
        titles="""
        [{adj} |slow-cooked |]{main} stew[{with}|]
        {cuisine} {main} [stew|casserole|ragout]
        {main} and {veg1} stew
        braised {mains} with {veg}
        [{adj}|winter|Sunday|one-pot] stew
        """,
        vessels="bowl pan",
        weight=3.0,
    ),
    family(
        "chili",
        "soup",
        """
        main     minced      1    500-900  body    simmered
        bean     bean        1-2  150-400  body    simmered
        tomato   canned_tomatoes 1    300-450  sauce   simmered
        aromatic @aromatic   1-2  .        hidden  fried
        veg      green_bell_pepper 0-1  120-200  body    simmered
        corn     sweetcorn   0-1  80-160   body    boiled
        spice    @spice      2-3  .        tint    raw
        fat      @fat        1    .        hidden  raw
        cool     cool        0-1  40-90    dollop  raw
        cheese   cheddar     0-1  40-80    top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        chop/dice aromatic+veg
        heat fat in pot
        fry/saute aromatic+veg in pot
        add/crumble main in pot
        brown main in pot
        sprinkle/stir spice
        drain/rinse bean
        add/stir tomato+bean+corn in pot
        simmer/cook =chili
        season =chili with season
        serve/top =chili with cool+cheese
        ? scatter herb
        """,
        titles="""
        [{adj} |smoky |]{main} [chili|chilli]
        {main} and {bean1} chili
        [big-batch|weeknight|spicy|campfire] chili[{with}|]
        """,
        vessels="bowl pan",
        cuisines="mexican, american",
        weight=1.5,
    ),
    family(
        "curry",
        "sections",
        """
        main     chunks      1    500-900  body    simmered
        veg      curry_veg   1-2  100-300  body    simmered
        aromatic @aromatic   2-3  .        hidden  fried
        creamy   coconut_milk 0-1  200-400  sauce   raw
        tomato   canned_tomatoes 0-1  200-400  sauce   raw
        spice    @spice      2-4  .        tint    raw
        sauce    @sauce      0-1  .        tint    raw
        fat      @fat        1    .        hidden  raw
        base     rice_any    0-1  200-350  side    boiled
        bread    naan        0-1  180-270  side    baked
        herb     @herb       1    .        top     raw
        """,
        """
        cut/dice main
        chop/grate/mince aromatic
        heat/melt fat in pan
        fry/saute aromatic in pan
        add/toast spice in pan
        add/brown main in pan
        stir/add veg+sauce in pan
        pour creamy+tomato in pan
        simmer/cook =curry
        cook/boil/rinse base
        ? warm bread
        season =curry with season
        serve =curry with base+bread
        scatter/garnish herb
        """,
        titles="""
        {cuisine} {main} curry[{with}|]
        [{adj} |coconut |creamy |]{main} curry
        {main} and {veg1} curry
        {main} masala
        [{adj}|mild|hot|weeknight] curry with {veg}
        """,
        vessels="plate bowl",
        cuisines="indian, indian, thai, caribbean",
        weight=3.2,
    ),
    family(
        "shakshuka",
        "soup",
        """
        main     tomatoes    1    500-800  sauce   simmered
        eggs     eggs        1    200-300  body    fried
        veg      stuffable   1    120-200  body    simmered
        aromatic @aromatic   1-2  .        hidden  fried
        spice    @spice      1-3  .        tint    raw
        fat      olive_oil   1    .        hidden  raw
        cheese   feta        0-1  40-90    top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        chop/dice main+veg
        slice/mince aromatic
        heat fat in pan
        soften/cook aromatic+veg in pan
        add/stir spice in pan
        tip/add main in pan
        simmer =sauce
        crack eggs in pan
        cover/cook =pan
        season eggs with season
        crumble/sprinkle cheese+herb
        """,
        titles="""
        shakshuka[{with}|]
        {cuisine} eggs in tomato sauce
        [{adj} |]eggs poached in tomatoes and {veg}
        """,
        vessels="pan",
        cuisines="middle eastern, moroccan",
        weight=0.5,
    ),
)
