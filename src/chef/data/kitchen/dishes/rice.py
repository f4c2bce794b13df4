"""Rice, grains and the wok."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "risotto",
        "mound",
        """
        main     soup_main   1    280-500  body    fried
        base     risotto_rice 1    280-380  base    boiled
        aromatic @aromatic   1-2  .        hidden  fried
        liquid   vegetable_stock 1    200-260  hidden  raw
        water    water       0-1  500-800  hidden  raw
        wine     white_wine  0-1  80-150   hidden  raw
        fat      butter      1    30-60    hidden  raw
        cheese   parmesan    1    40-80    sauce   raw
        herb     @herb       1    .        top     raw
        """,
        """
        warm/heat liquid+water in pot
        chop/mince aromatic
        melt fat in pan
        soften/cook aromatic in pan
        add/toast base in pan
        pour wine in pan
        ladle/stir liquid
        dice/slice main
        roast/fry main
        fold/stir main+cheese in pan
        season =risotto with season
        rest =risotto
        serve/top =risotto with herb
        """,
        titles="""
        {main} risotto[ with {herb}|]
        [{adj} |creamy |oven-baked ]{main} risotto
        risotto with {mains} and {cheese}
        """,
        vessels="plate bowl",
        cuisines="italian",
        weight=0.8,
        hero=0.7,
    ),
    family(
        "rice bowl",
        "bowl_sectors",
        """
        main     chunks      1    400-700  body    METHOD
        base     rice_any    1    200-350  base    boiled
        veg      bowl_veg    2-4  60-180   body    raw
        sauce    @sauce      1-2  .        glaze   raw
        aromatic @aromatic   0-1  .        hidden  raw
        fat      @fat        1    .        hidden  raw
        acid     @acid       0-1  .        hidden  raw
        seed     sesame_seeds 0-1  8-18     top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        rinse/soak base
        cook/steam/boil base in pot
        cut/slice main
        whisk/mix sauce+acid+aromatic in bowl
        marinate/toss main with sauce
        heat fat in pan
        METHOD main
        slice/shred veg
        divide/spoon base
        arrange/top main+veg
        drizzle =sauce
        sprinkle seed+herb
        """,
        titles="""
        {cuisine} {main} [rice bowl|bowl]
        {done} {main} bowl with {veg}
        [{adj} |]{main} and {veg1} rice bowl
        [{adj}|rainbow|build-your-own|lunch] bowl[{with}|]
        """,
        vessels="bowl",
        cuisines="japanese, korean, thai, vietnamese, mexican, chinese",
        methods="grill fry roast steam",
        weight=2.6,
    ),
    family(
        "fried rice",
        "mound",
        """
        base     rice_any    1    280-400  base    fried
        main     chunks      1    280-600  body    fried
        veg      wok_veg     1-3  50-140   body    fried
        eggs     eggs        0-1  100-150  body    fried
        aromatic @aromatic   2    .        hidden  fried
        sauce    @sauce      1-2  .        sauce   raw
        fat      @fat        1    .        hidden  raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        cook/boil base in pot
        cool/chill base
        dice/chop main+veg
        heat fat in wok
        fry/cook main in wok
        ? beat eggs in bowl
        scramble eggs in wok
        add/fry aromatic+veg in wok
        tip/add base in wok
        pour/drizzle sauce
        toss base in wok
        season base with season
        garnish/scatter herb
        """,
        titles="""
        {main} fried rice[{with}|]
        {cuisine} fried rice with {mains}
        [{adj} |]fried rice[ with {veg}|]
        """,
        vessels="plate bowl pan",
        cuisines="chinese, thai, japanese, korean",
        weight=1.3,
        hero=0.7,
    ),
    family(
        "paella",
        "mound",
        """
        base     risotto_rice 1    280-380  base    simmered
        main     chunks      1    380-650  body    fried
        shell    seafood     0-1  150-280  body    boiled
        veg      stuffable   1    100-180  body    fried
        peas     peas        0-1  60-120   body    boiled
        aromatic @aromatic   2    .        hidden  fried
        spice    @spice      1-2  .        sauce   raw
        liquid   chicken_stock 1    200-270  hidden  raw
        fat      olive_oil   1    .        hidden  raw
        acid     lemon       1    80-120   top     raw
        """,
        """
        cut/joint main
        heat fat in pan
        brown/sear main in pan
        chop/dice aromatic+veg
        soften/fry aromatic+veg in pan
        stir/add base+spice in pan
        pour liquid in pan
        simmer base
        add/tuck shell+peas in pan
        cover/rest =pan
        season =paella with season
        serve =paella with acid
        """,
        titles="""
        {main} paella[{with}|]
        [{adj} |weekend |]paella with {mains}
        {cuisine} rice with {mains}[ and {shell}|]
        """,
        vessels="pan",
        cuisines="spanish",
        weight=1.0,
        hero=0.8,
    ),
    family(
        "stir fry",
        "mound",
        """
        main     chunks      1    400-700  body    fried
        veg      wok_veg     2-4  80-220   body    fried
        base     rice_any    0-1  200-320  base    boiled
        aromatic @aromatic   2    .        hidden  fried
        sauce    @sauce      1-2  .        sauce   raw
        thick    cornflour   0-1  6-16     hidden  raw
        fat      @fat        1    .        hidden  raw
        seed     sesame_seeds 0-1  8-18     top     raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        slice/cut main
        ? marinate main with sauce in bowl
        slice/chop veg
        mince/grate aromatic
        whisk/mix sauce+thick in bowl
        heat fat in wok
        fry/sear main in wok
        add/toss aromatic+veg in wok
        pour/stir =sauce in wok
        steam/cook/boil base
        season =stir-fry with season
        serve =stir-fry with base
        sprinkle seed+herb
        """,
        titles="""
        {main} stir-fry[{with}|]
        {cuisine} {main} with {veg}
        [{adj} |sticky |spicy |]{main} and {veg1} stir-fry
        stir-fried {mains} with {veg}
        """,
        vessels="plate bowl pan",
        cuisines="chinese, chinese, thai, korean, japanese",
        weight=2.8,
    ),
    family(
        "grain salad",
        "mound",
        """
        base     grain_any   1    200-350  base    boiled
        main     side_veg    1    150-380  body    baked
        veg      salad_veg   1-3  60-180   body    raw
        extra    salad_extra 1-2  30-80    top     raw
        aromatic @aromatic   0-1  .        hidden  raw
        acid     @acid       1    .        hidden  raw
        fat      olive_oil   1    .        hidden  raw
        herb     @herb       1-2  .        top     raw
        """,
        """
        cook/simmer/boil base in pot
        fluff/cool base
        roast/bake main in tray
        chop/dice veg
        whisk acid+fat+aromatic in bowl
        toss/mix base with main+veg in bowl
        dress =salad
        season =salad with season
        scatter/sprinkle extra+herb
        """,
        titles="""
        {base1} salad with {mains}[ and {extra}|]
        {cuisine} {base1} salad
        [{adj} |warm |]{main} and {base1} salad
        """,
        vessels="bowl plate",
        cuisines="middle eastern, greek, moroccan, italian",
        weight=1.0,
        hero=0.4,
    ),
)
