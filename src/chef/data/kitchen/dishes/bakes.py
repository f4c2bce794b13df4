"""Sweet bakes."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "fruit pie",
        "pie",
        """
        main     pie_fruit   1    700-1100 body    baked
        crust    pie_crust   1    280-400  crust   baked
        sugar    sugar_any   1    80-180   hidden  raw
        thick    cornflour   0-1  16-32    hidden  raw
        spice    sweet_spice 0-2  .        hidden  raw
        acid     lemon_juice 0-1  .        hidden  raw
        fat      butter      1    20-50    hidden  raw
        eggs     eggs        0-1  50       hidden  raw
        serve    pie_serve   0-1  80-160   dollop  raw
        """,
        """
        preheat oven
        peel/core/slice main
        toss/mix main with sugar+thick+spice+acid in bowl
        roll crust
        line =dish with crust
        spoon/pile main in dish
        dot =filling with fat
        lay/weave =lattice
        brush =crust with eggs
        bake =pie
        cool =pie
        serve =pie with serve
        """,
        titles="""
        {main} pie[{with}|]
        [{adj} |old-fashioned |deep-dish |]{main} pie
        {spice1} {main} pie
        [county-fair|Sunday|lattice] pie with {mains}
        """,
        vessels="pie_dish",
        cuisines="american, british",
        weight=2.8,
        sweet=True,
    ),
    family(
        "crumble",
        "tray",
        """
        main     pie_fruit   1    700-1000 body    baked
        fruit    pie_fruit   0-1  150-300  body    baked
        flour    flour       1    120-200  crumbs  baked
        oats     rolled_oats 0-1  60-120   crumbs  baked
        sugar    sugar_any   1    80-160   hidden  raw
        fat      butter      1    90-140   hidden  raw
        spice    sweet_spice 0-2  .        hidden  raw
        nut      nut_any     0-1  40-80    top     baked
        serve    pie_serve   0-1  80-160   dollop  raw
        """,
        """
        preheat oven
        peel/core/chop main
        ? slice fruit
        arrange/tip main+fruit in dish
        sprinkle spice
        mix flour with fat in bowl
        stir/mix oats+sugar+nut in bowl
        scatter/spread =crumble
        bake =crumble
        cool/rest =crumble
        serve =crumble with serve
        """,
        titles="""
        {main} [crumble|crisp|cobbler]
        {main} and {fruit1} crumble
        [{adj} |warm |]{main} crumble[ with {x}|]
        [autumn|school-dinner|Sunday] crumble[{with}|]
        """,
        vessels="tray",
        cuisines="british, american",
        weight=2.1,
        sweet=True,
    ),
    family(
        "cake",
        "cake",
        """
        main     cake_fruit  1    300-600  body    baked
        flour    flour_any   1    200-300  crust   baked
        sugar    sugar_any   1    150-250  hidden  raw
        eggs     eggs        1    100-200  hidden  raw
        fat      butter      1    120-220  hidden  raw
        raise    baking_powder 1    .        hidden  raw
        milk     cake_milk   0-1  60-120   hidden  raw
        spice    sweet_spice 0-1  .        hidden  raw
        vanilla  vanilla     0-1  .        hidden  raw
        nut      nut_any     0-1  40-90    top     baked
        dust     icing_sugar 0-1  16-32    dust    raw
        """,
        """
        preheat oven
        grease/line =tin
        beat/cream fat+sugar in bowl
        beat/add eggs in bowl
        sift/fold flour+raise+spice+season in bowl
        stir milk+vanilla in bowl
        peel/slice/chop main
        fold/arrange main+nut
        pour/spoon =batter in tin
        bake =cake
        cool =cake
        dust =cake with dust
        """,
        titles="""
        {main} cake[{with}|]
        [{adj} |moist |upside-down |]{main} cake
        {spice1} {main} cake
        [tea-time|birthday|{adj}|one-bowl] cake with {mains}
        """,
        vessels="stand plate",
        cuisines="british, american, german, french",
        weight=2.3,
        hero=0.75,
        sweet=True,
    ),
    family(
        "muffins",
        "muffins",
        """
        flour    flour_any   1    220-300  crust   baked
        main     cake_fruit  1    150-400  body    baked
        sugar    sugar_any   1    90-160   hidden  raw
        eggs     eggs        1    50-100   hidden  raw
        milk     cake_milk   1    100-200  hidden  raw
        fat      muffin_fat  1    60-110   hidden  raw
        raise    baking_powder 1    .        hidden  raw
        bits     sweet_bits  0-1  50-110   body    baked
        spice    sweet_spice 0-1  .        hidden  raw
        oats     rolled_oats 0-1  20-40    top     baked
        """,
        """
        preheat oven
        line/grease =tin
        mix/sift flour+raise+spice+season in bowl
        whisk/beat eggs+milk+fat+sugar in bowl
        chop/mash main
        fold main+bits in bowl
        stir =batter
        divide/spoon =batter in tin
        sprinkle oats
        bake =muffins
        cool =muffins
        """,
        titles="""
        {main} muffins[{with}|]
        [{adj} |bakery-style |]{main} muffins
        {main} and {bits1} muffins
        [breakfast|lunchbox] muffins[{with}|]
        """,
        vessels="plate board",
        cuisines="american, british",
        weight=1.2,
        hero=0.35,
        sweet=True,
    ),
    family(
        "cookies",
        "cookies",
        """
        flour    flour_any   1    180-300  crust   baked
        main     sweet_bits  1    90-200   body    baked
        bits     sweet_bits  0-1  40-100   body    baked
        oats     rolled_oats 0-1  80-160   body    baked
        sugar    sugar_any   1    110-200  hidden  raw
        fat      cookie_fat  1    100-170  hidden  raw
        eggs     eggs        1    50       hidden  raw
        raise    baking_soda 1    .        hidden  raw
        vanilla  vanilla     0-1  .        hidden  raw
        spice    sweet_spice 0-1  .        hidden  raw
        """,
        """
        preheat oven
        cream/beat fat+sugar in bowl
        beat/add eggs+vanilla in bowl
        stir/mix flour+raise+spice+season in bowl
        fold main+bits+oats in bowl
        chill =dough
        roll/scoop =dough
        flatten/press =cookies
        bake =cookies
        cool =cookies
        """,
        titles="""
        {main} cookies
        [{adj} |chewy |crisp |giant ]{main} cookies
        {main} and {bits1} cookies
        [lunchbox|bake-sale|{adj}] cookies[{with}|]
        """,
        vessels="plate board tray",
        cuisines="american, british",
        weight=1.4,
        hero=0.0,
        sweet=True,
    ),
    family(
        "brownies",
        "brownies",
        """
        main     dark_chocolate 1    200-320  crust   baked
        fat      butter      1    140-200  hidden  raw
        sugar    sugar_any   1    150-240  hidden  raw
        eggs     eggs        1    150      hidden  raw
        flour    flour       1    80-130   hidden  raw
        cocoa    cocoa_powder 0-1  20-40    hidden  raw
        nut      sweet_bits  0-1  60-120   body    baked
        fruit    brownie_fruit 0-1  80-140   body    baked
        vanilla  vanilla     0-1  .        hidden  raw
        """,
        """
        preheat oven
        line/grease =tin
        melt main+fat in pot
        whisk/beat sugar+eggs+vanilla in bowl
        fold/stir main in bowl
        sift flour+cocoa+season in bowl
        fold nut+fruit
        pour/spread =batter in tin
        bake =brownies
        cool/cut =brownies
        """,
        titles="""
        [{adj} |fudgy |double ]chocolate brownies[{with}|]
        {nut1} brownies
        brownies with {x}
        """,
        vessels="board plate",
        cuisines="american",
        weight=0.7,
        hero=0.6,
        sweet=True,
    ),
    family(
        "tart",
        "tart",
        """
        main     pie_fruit   1    450-750  body    baked
        crust    pie_crust   1    280-320  crust   baked
        cream    tart_cream  1    100-220  sauce   baked
        sugar    sugar_any   1    50-110   hidden  raw
        eggs     eggs        0-1  50-100   hidden  raw
        glaze    jam         0-1  30-60    syrup   raw
        nut      almonds     0-1  20-50    top     baked
        fat      butter      0-1  30-60    hidden  raw
        """,
        """
        preheat oven
        roll/press crust
        prick/chill crust
        beat/whisk cream+sugar+eggs+fat in bowl
        spread =filling
        core/slice/halve main
        arrange/fan main
        bake =tart
        warm/brush glaze
        scatter nut
        cool/slice =tart
        """,
        titles="""
        {main} tart[{with}|]
        {cuisine} {main} tart
        [{adj} |rustic |thin |]tart with {mains}
        """,
        vessels="pie_dish",
        cuisines="french, german, italian",
        weight=1.6,
        sweet=True,
    ),
)
