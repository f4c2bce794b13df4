"""Bread, and what is put between it."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "pizza",
        "pizza",
        """
        dough    pizza_dough 1    250-400  crust   baked
        main     pizza_main  1    260-450  body    baked
        veg      pizza_veg   1-3  30-120   body    baked
        sauce    tomato_sauce 1    100-180  sauce   raw
        cheese   mozzarella  1    120-220  melt    baked
        fat      olive_oil   0-1  .        hidden  raw
        herb     basil       0-1  .        top     raw
        spice    @spice      0-1  .        hidden  raw
        """,
        """
        preheat oven
        stretch/roll dough
        spread/ladle sauce
        slice/cook main
        chop/slice veg
        scatter/tear cheese
        top =pizza with main+veg
        drizzle/season =pizza with fat+season
        bake =pizza
        sprinkle herb+spice
        slice/serve =pizza
        """,
        titles="""
        {main} pizza[{with}|]
        [{adj} |thin-crust |deep-pan |]pizza with {mains} and {veg}
        {veg1} pizza
        [Friday|{adj}|homemade] pizza
        """,
        vessels="board plate",
        cuisines="italian, american",
        weight=1.4,
        hero=0.6,
    ),
    family(
        "burger",
        "burger",
        """
        main     burger_main 1    480-700  body:patty grilled
        bun      burger_buns 1    240      crust   baked
        veg      sandwich_veg 1-3  40-120   body    raw
        cheese   cheddar     0-1  60-100   body:square raw
        crumbs   breadcrumbs 0-1  30-60    hidden  raw
        aromatic @aromatic   0-1  .        hidden  raw
        sauce    @sauce      1-2  .        glaze   raw
        spice    @spice      0-1  .        hidden  raw
        fat      @fat        0-1  .        hidden  raw
        """,
        """
        mix/combine main with crumbs+aromatic+spice in bowl
        season =mixture with season
        shape/press =mixture
        slice/shred/wash veg
        heat fat in pan
        grill/fry =patties
        flip =patties
        melt cheese
        toast/split bun
        spread bun with sauce
        layer/stack =burgers with veg
        """,
        titles="""
        {main} burgers[{with}|]
        [{adj} |smoky |juicy |]{main} burger with {veg}
        {cuisine} burgers with {x}
        """,
        vessels="board plate",
        cuisines="american, american, greek, korean, mexican",
        weight=1.8,
    ),
    family(
        "sandwich",
        "sandwich",
        """
        main     sandwich_main 1    280-480  body:patty METHOD
        bread    bread       1    210-280  crust   baked
        veg      sandwich_veg 1-3  40-120   body    raw
        cheese   melting     0-1  50-100   body:square raw
        sauce    sandwich_sauce 1    25-50    glaze   raw
        fat      butter      0-1  15-30    hidden  raw
        herb     @herb       0-1  .        hidden  raw
        """,
        """
        season main with season
        METHOD main
        slice/shred main
        toast/warm bread
        spread bread with sauce
        slice/wash veg
        layer/stack main with veg+cheese
        press/close =sandwich
        cut/halve =sandwich
        serve =sandwich
        """,
        titles="""
        {main} sandwich[{with}|]
        {done} {main} and {veg1} [sandwich|toastie|panini]
        [{adj}|packed-lunch|toasted|double-decker] sandwich with {x}
        """,
        vessels="board plate",
        cuisines="american, british, french, italian",
        methods="grill roast fry",
        weight=1.8,
    ),
    family(
        "patties",
        "patties",
        """
        main     patty_main  1    400-700  crust   fried
        binder   eggs        1    50-100   hidden  raw
        crumbs   breadcrumbs 1    60-120   hidden  fried
        aromatic @aromatic   1    .        hidden  raw
        spice    @spice      0-2  .        tint    raw
        fat      vegetable_oil 1    .        hidden  raw
        leaf     salad_leaf  0-1  60-120   side    raw
        sauce    cool        0-1  60-120   dip     raw
        acid     lemon       0-1  80-100   top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        flake/mash/grate main in bowl
        chop/mince aromatic+herb
        mix/combine main with binder+aromatic+herb+spice in bowl
        season =mixture with season
        shape/form =mixture
        coat/roll =patties with crumbs
        chill =patties
        heat fat in pan
        fry =patties in pan
        drain =patties
        serve =patties with sauce+leaf+acid
        """,
        titles="""
        {main} [cakes|fritters|patties][{with}|]
        [{adj} |crispy |]{main} patties with {herb}
        {cuisine} {main} fritters
        """,
        vessels="plate board",
        weight=1.3,
    ),
    family(
        "bread",
        "loaf",
        """
        main     bread_flour_any 1    450-600  crust   baked
        water    water       1    280-380  hidden  raw
        yeast    yeast       1    7-12     hidden  raw
        fat      olive_oil   0-1  .        hidden  raw
        sweet    sugar_any   0-1  10-30    hidden  raw
        bits     bread_bits  0-2  40-120   top     baked
        herb     rosemary    0-1  .        top     baked
        """,
        """
        mix/combine main with yeast+sweet+season in bowl
        pour/stir water+fat in bowl
        knead =dough
        cover/rest =dough
        fold bits
        shape =dough
        preheat oven
        dust/slash =loaf
        sprinkle herb
        bake =loaf
        cool/slice =loaf
        """,
        titles="""
        [{adj} |crusty |overnight |]{main1} loaf
        {bits1} bread
        [{adj}|no-knead|country|everyday] bread[{with}|]
        """,
        vessels="board",
        cuisines="british, german, italian",
        weight=0.8,
    ),
)
