"""Plates: salads, grills, roasts."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "salad",
        "mound",
        """
        main     chunks      1    350-600  body    METHOD
        leaf     salad_leaf  1    80-220   base    raw
        veg      salad_veg   2-4  60-200   body    raw
        extra    salad_extra 0-2  25-70    top     raw
        fat      olive_oil   1    .        hidden  raw
        acid     @acid       1    .        hidden  raw
        sauce    mustard     0-1  .        hidden  raw
        herb     @herb       0-1  .        top     raw
        """,
        """
        season/rub main with season
        METHOD main
        rest/slice main
        wash/tear/shred leaf
        chop/slice/halve veg
        whisk/shake fat+acid+sauce in bowl
        toss leaf with veg in bowl
        drizzle =dressing
        arrange/top main
        scatter/crumble extra+herb
        """,
        titles="""
        {done} {main} salad[{with}|]
        {cuisine} {main} salad
        {main} and {veg1} salad
        [{adj}|summer|lunchtime|chopped] salad with {mains}
        """,
        vessels="plate bowl",
        methods="grill fry roast poach",
        weight=2.4,
    ),
    family(
        "fruit and leaf salad",
        "mound",
        """
        main     apples      1    280-480  body    raw
        leaf     salad_leaf  1    80-200   base    raw
        veg      salad_veg   1-2  60-150   body    raw
        nut      nut_any     1    40-80    top     raw
        cheese   salad_extra 0-1  40-90    top     raw
        fat      olive_oil   1    .        hidden  raw
        acid     lemon_juice 1    .        hidden  raw
        sweet    honey       0-1  .        hidden  raw
        cream    mayonnaise  0-1  40-90    hidden  raw
        """,
        """
        core/slice/dice main
        toss main with acid in bowl
        wash/shred/tear leaf
        chop/slice veg
        toast/chop nut
        whisk fat+sweet+cream in bowl
        mix/combine main with leaf+veg in bowl
        season =salad with season
        scatter/sprinkle nut+cheese
        """,
        titles="""
        {main} and {nut1} salad
        {main} salad with {veg}[ and {nut}|]
        [{adj} |crunchy |autumn |]{main} slaw
        [crunchy|autumn|green] salad with {mains}
        """,
        vessels="plate bowl",
        cuisines="american, french, german, british",
        weight=1.9,
    ),
    family(
        "grill plate",
        "sections",
        """
        main     whole       1    500-900  hero    METHOD
        veg      side_veg    1-2  150-350  side    boiled
        base     side_starch 0-1  200-400  side    boiled
        aromatic garlic      0-1  .        hidden  raw
        acid     citrus_any  1    .        top     raw
        fat      @fat        1    .        hidden  raw
        spice    @spice      0-2  .        tint    raw
        herb     @herb       1    .        top     raw
        """,
        """
        pat/rub main with spice+season
        drizzle/brush main with fat
        METHOD main
        ? turn main
        trim/wash veg
        steam/boil/blanch veg
        cook/boil base in pot
        rest main
        squeeze acid
        serve/plate main with veg+base
        scatter herb
        """,
        titles="""
        {done} {mains} with {veg}[ and {base}|]
        {done} {mains}[ and {x}| with {herb}|]
        {cuisine} {done} {mains}
        {herb1} {main} with {veg}
        [{adj}|midweek|fireside] supper[{with}|]
        """,
        methods="grill grill fry sear broil",
        weight=3.4,
    ),
    family(
        "roast",
        "sections",
        """
        main     whole       1    700-1300 hero    baked
        veg      roast_veg   2-3  200-450  side    baked
        aromatic @aromatic   1    .        hidden  baked
        fat      @fat        1    .        hidden  raw
        spice    @spice      0-1  .        tint    raw
        herb     @herb       1-2  .        top     raw
        sauce    @sauce      0-1  .        glaze   raw
        """,
        """
        preheat oven
        rub/season main with season+spice
        peel/chop/cut veg+aromatic
        spread/arrange veg+aromatic in tray
        drizzle/toss veg with fat
        brush/glaze main with sauce
        roast/bake main in tray
        baste/turn main
        rest/cover main
        carve/slice main
        serve main with veg+herb
        """,
        titles="""
        roast {mains} with {veg}
        [{adj} |Sunday |]roast {mains}[{with}|]
        {herb1} roasted {mains}[ and {veg}|]
        {cuisine} roast {mains} with {x}
        """,
        weight=2.6,
    ),
    family(
        "tray bake",
        "tray",
        """
        main     chunks      1    600-1000 body    baked
        veg      roast_veg   2-4  150-350  body    baked
        aromatic @aromatic   0-1  .        hidden  baked
        fat      @fat        1    .        hidden  raw
        spice    @spice      1-2  .        tint    raw
        sauce    @sauce      0-1  .        hidden  raw
        acid     citrus_any  0-1  .        top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        preheat oven
        cut/chop veg+aromatic
        cut/trim main
        toss main+veg with fat+spice in bowl
        season =everything with season
        spread/tip =everything in tray
        drizzle sauce
        roast/bake =everything
        shake/turn =everything
        squeeze acid
        serve/finish =tray with herb
        """,
        titles="""
        [sheet-pan|one-tray|tray-baked] {mains} with {veg}
        {cuisine} {main} tray bake
        baked {mains}[ and {veg}|{with}]
        [{adj}|no-fuss|one-tin] dinner with {x}
        """,
        vessels="tray",
        weight=2.0,
    ),
    family(
        "meatballs",
        "mound",
        """
        main     minced      1    500-800  body:ball fried
        base     pasta_long  0-1  250-400  base    boiled
        tomato   tomato_sauce 1    250-420  sauce   simmered
        crumbs   breadcrumbs 1    40-90    hidden  raw
        eggs     eggs        1    50       hidden  raw
        aromatic @aromatic   1-2  .        hidden  fried
        fat      @fat        1    .        hidden  raw
        spice    @spice      0-1  .        hidden  raw
        cheese   parmesan    0-1  25-60    top     raw
        herb     @herb       1    .        top     raw
        """,
        """
        mince/grate aromatic
        mix/combine main with crumbs+eggs+aromatic+spice in bowl
        season =mixture with season
        shape/roll =mixture
        heat fat in pan
        fry/brown =meatballs in pan
        pour tomato in pan
        simmer =meatballs
        boil/cook base in pot
        serve =meatballs with base
        top/sprinkle =meatballs with cheese+herb
        """,
        titles="""
        {main} meatballs[{with}|]
        {cuisine} {main} meatballs in tomato sauce
        [{adj} |baked |tender |]meatballs with {x}
        """,
        vessels="plate pan bowl",
        cuisines="italian, spanish, greek, american, middle eastern",
        weight=1.3,
    ),
    family(
        "hash",
        "mound",
        """
        main     hash_main   1    450-800  body    fried
        meat     cured       0-1  100-220  body    fried
        veg      egg_veg     1-2  80-180   body    fried
        eggs     eggs        0-1  150-200  body    fried
        aromatic @aromatic   1    .        hidden  fried
        spice    @spice      0-1  .        hidden  raw
        fat      @fat        1    .        hidden  raw
        herb     @herb       1    .        top     raw
        """,
        """
        peel/dice/cube main
        boil/steam main in pot
        heat fat in pan
        fry/crisp main in pan
        chop/slice aromatic+veg
        add/cook meat+aromatic+veg+spice in pan
        season =hash with season
        fry/crack eggs in pan
        top =hash with eggs
        scatter herb
        """,
        titles="""
        {main} hash[{with}|]
        [{adj} |breakfast |]{main} and {x} hash
        [skillet|weekend|leftover] hash[{with}|]
        """,
        vessels="pan plate",
        cuisines="american, british, german",
        weight=0.8,
    ),
)
