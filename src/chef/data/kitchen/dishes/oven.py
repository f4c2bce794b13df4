"""From the oven, in a dish."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "stuffed peppers",
        "stuffed",
        """
        shell    stuffable   1    450-600  crust   baked
        main     minced      1    480-720  body    fried
        base     rice_any    1    100-200  body    boiled
        aromatic @aromatic   1-2  .        hidden  fried
        tomato   tomato_paste 0-1  .        tint    raw
        spice    @spice      1-2  .        tint    raw
        fat      @fat        1    .        hidden  raw
        cheese   melting     0-1  60-120   top     baked
        herb     @herb       1    .        top     raw
        """,
        """
        preheat oven
        halve/core shell
        cook/boil base in pot
        heat fat in pan
        fry/soften aromatic in pan
        brown main in pan
        stir base+tomato+spice in pan
        season =filling with season
        stuff/fill shell with main
        sprinkle cheese
        bake shell in dish
        serve shell with herb
        """,
        titles="""
        {main} stuffed peppers
        {cuisine} stuffed peppers with {mains}
        [{adj} |baked |cheesy |]stuffed {shell}
        """,
        vessels="plate tray",
        cuisines="greek, spanish, mexican, american",
        weight=1.0,
    ),
    family(
        "casserole",
        "tray",
        """
        main     chunks      1    550-900  body    simmered
        base     casserole_base 1    200-400  base    boiled
        veg      side_veg    1-2  120-280  body    boiled
        aromatic @aromatic   1    .        hidden  fried
        creamy   creamy      1    150-300  sauce   raw
        cheese   melting     1    80-160   melt    baked
        crumbs   breadcrumbs 0-1  40-80    crumbs  baked
        fat      butter      0-1  20-40    hidden  raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        preheat oven
        boil/cook base in pot
        cut/dice main
        melt fat in pan
        fry/brown main+aromatic in pan
        steam/blanch veg
        stir/pour creamy in pan
        season =sauce with season
        layer/tip base+main+veg in dish
        sprinkle/scatter cheese+crumbs
        bake =casserole
        rest/serve =casserole
        ? scatter herb
        """,
        titles="""
        {main} casserole[{with}|]
        [{adj} |cheesy |creamy |]{main} and {veg1} [bake|casserole]
        {main} {base1} bake
        [{adj}|church-supper|family|potluck] casserole[{with}|]
        """,
        vessels="tray",
        cuisines="american, british, german, french",
        weight=2.2,
    ),
    family(
        "lasagne",
        "tray",
        """
        main     minced      1    500-750  body    simmered
        base     lasagne_sheets 1    200-300  hidden  boiled
        tomato   canned_tomatoes 1    300-440  sauce   simmered
        creamy   ricotta     0-1  150-300  sauce   raw
        veg      pasta_veg   0-1  100-200  body    baked
        aromatic @aromatic   1-2  .        hidden  fried
        cheese   mozzarella  1    100-180  melt    baked
        fat      olive_oil   1    .        hidden  raw
        herb     @herb       1    .        top     raw
        """,
        """
        preheat oven
        heat fat in pan
        fry/soften aromatic in pan
        brown main in pan
        add/pour tomato in pan
        simmer =sauce
        season =sauce with season
        layer/arrange base with main+creamy+veg in dish
        scatter cheese
        bake =lasagne
        rest =lasagne
        serve =lasagne with herb
        """,
        titles="""
        {main} [lasagne|lasagna]
        [{adj} |classic |]lasagne with {mains}[ and {veg}|]
        """,
        vessels="tray",
        cuisines="italian",
        weight=1.1,
    ),
    family(
        "gratin",
        "tray",
        """
        main     gratin_veg  1    700-1100 body    baked
        veg      gratin_veg  0-1  200-350  body    baked
        creamy   cream       1    200-350  sauce   baked
        cheese   melting     1    80-150   melt    baked
        aromatic @aromatic   1    .        hidden  raw
        spice    nutmeg      0-1  .        hidden  raw
        fat      butter      1    20-40    hidden  raw
        crumbs   breadcrumbs 0-1  30-60    crumbs  baked
        herb     @herb       0-1  .        top     raw
        """,
        """
        preheat oven
        peel/slice main+veg
        grease/line =dish
        warm/heat creamy+aromatic+spice in pot
        layer/arrange main+veg in dish
        season =layers with season
        pour creamy
        sprinkle/scatter cheese+crumbs
        bake =gratin
        serve =gratin with herb
        """,
        titles="""
        {main} gratin[{with}|]
        [{adj} |creamy |bubbling |]{main} gratin
        {main} and {cheese} bake
        """,
        vessels="tray",
        cuisines="french, british",
        weight=0.8,
    ),
    family(
        "savoury pie",
        "pie",
        """
        main     braise      1    600-1000 body    simmered
        crust    pie_crust   1    280-400  crust   baked
        veg      stew_veg    1-3  80-220   body    simmered
        aromatic @aromatic   1    .        hidden  fried
        liquid   stock_any   1    200-350  sauce   raw
        flour    flour       1    20-40    hidden  raw
        fat      butter      1    25-50    hidden  raw
        eggs     eggs        1    50       hidden  raw
        herb     @herb       1    .        top     raw
        """,
        """
        preheat oven
        cut/dice main
        melt fat in pan
        brown/sear main in pan
        chop/slice aromatic+veg
        cook/soften aromatic+veg in pan
        stir/sprinkle flour in pan
        pour liquid in pan
        simmer =filling
        season =filling with season+herb
        spoon =filling in dish
        roll/drape crust
        brush crust with eggs
        bake =pie
        """,
        titles="""
        {main} pie[{with}|]
        {main} and {veg1} pie
        [{adj} |proper |family |]{main} pot pie
        [{adj}|winter|supper] pie[{with}|]
        """,
        vessels="pie_dish",
        cuisines="british, british, american, french",
        weight=1.6,
    ),
    family(
        "quiche",
        "tart",
        """
        crust    pie_crust   1    280-320  crust   baked
        main     egg_veg     1    180-380  body    baked
        meat     cured       0-1  80-160   body    baked
        eggs     eggs        1    150-250  sauce   baked
        cream    cream       1    120-240  sauce   baked
        cheese   melting     1    60-120   melt    baked
        aromatic @aromatic   0-1  .        hidden  fried
        spice    nutmeg      0-1  .        hidden  raw
        """,
        """
        preheat oven
        roll/press crust
        prick/bake crust
        chop/slice main+aromatic
        fry/cook main+meat+aromatic in pan
        whisk/beat eggs+cream+spice in bowl
        season =custard with season
        spread/scatter main+meat+cheese
        pour =custard
        bake =quiche
        cool/slice =quiche
        """,
        titles="""
        {main} quiche[{with}|]
        {main} and {cheese} [quiche|tart]
        [{adj} |picnic |]quiche with {mains}
        """,
        vessels="pie_dish",
        cuisines="french",
        weight=0.8,
        hero=0.5,
    ),
)
