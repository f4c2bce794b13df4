"""Soups: blended, chunky, with noodles, with lentils."""

from chef.data.kitchen.grammar import family

FAMILIES = (
    family(
        "soup",
        "soup",
        """
        main     soup_main   1    500-900  tint    boiled
        veg      soup_veg    0-2  80-250   body    boiled
        aromatic @aromatic   1-2  .        hidden  boiled
        liquid   vegetable_stock 0-1  300-450  sauce   boiled
        water    water       1    400-900  hidden  raw
        creamy   creamy      0-1  60-150   dollop  raw
        fat      @fat        1    .        hidden  raw
        spice    @spice      0-2  .        tint    raw
        herb     @herb       0-1  .        top     raw
        crunch   salad_extra 0-1  15-30    top     raw
        """,
        """
        ? peel main
        chop/dice main+veg
        chop/mince aromatic
        heat/melt fat in pot
        saute/fry aromatic in pot
        add/stir main+veg+spice in pot
        pour liquid+water in pot
        simmer/cook =soup
        ? stir creamy in pot
        blend/mash =soup
        season =soup with season
        ladle/serve =soup
        scatter/sprinkle herb+crunch
        """,
        titles="""
        [{adj} |]{main} soup[{with}|]
        {cuisine} {main} soup
        cream of {main} soup
        [{adj} |]{main} and {x} soup
        [{adj}|winter|autumn|everyday] vegetable soup
        """,
        vessels="bowl",
        weight=1.3,
    ),
    family(
        "chunky soup",
        "soup",
        """
        main     chunks      1    450-800  body    boiled
        veg      soup_veg    2-3  80-250   body    boiled
        aromatic @aromatic   1-2  .        hidden  boiled
        liquid   stock_any   1    300-450  sauce   boiled
        water    water       0-1  400-900  hidden  raw
        fat      @fat        1    .        hidden  raw
        spice    @spice      0-2  .        tint    raw
        herb     @herb       1    .        top     raw
        """,
        """
        cut/trim main
        chop/dice/slice veg
        ? mince aromatic
        heat/warm fat in pot
        cook/saute aromatic in pot
        add/brown main+spice in pot
        pour/add liquid+water in pot
        boil/bring =soup
        add veg in pot
        simmer/cook =soup
        season =soup with season
        ladle/divide =soup
        garnish/top =soup with herb
        """,
        titles="""
        [{adj} |]{main} and {veg1} soup
        {cuisine} {main} soup[{with}|]
        {main} soup with {veg}
        [{adj}|country|farmhouse] {main} [soup|broth|chowder]
        {adj} soup of the house
        """,
        vessels="bowl",
        weight=2.0,
    ),
    family(
        "noodle soup",
        "soup",
        """
        main     chunks      1    400-650  body    boiled
        noodles  noodles     1    180-300  base    boiled
        veg      wok_veg     1-3  60-160   body    boiled
        eggs     eggs        0-1  100-200  body    boiled
        aromatic @aromatic   1-3  .        hidden  raw
        liquid   stock_any   1    250-380  sauce   boiled
        water    water       1    500-900  hidden  raw
        sauce    @sauce      1-2  .        tint    raw
        herb     @herb       1    .        top     raw
        acid     @acid       0-1  .        top     raw
        """,
        """
        slice/cut main
        mince/grate/slice aromatic
        bring/pour liquid+water in pot
        add/stir aromatic+sauce in pot
        poach/simmer main in pot
        cook/boil noodles
        drain/rinse noodles
        ? boil/peel eggs
        add/drop veg in pot
        divide noodles
        ladle/pour =broth
        top/garnish =bowls with herb+acid
        """,
        titles="""
        {cuisine} {main} noodle soup
        [{adj} |]{main} noodle soup with {veg}
        {noodles} in broth with {mains}
        [spicy|light|quick|slow] {cuisine} noodle soup
        """,
        vessels="bowl",
        cuisines="thai, vietnamese, chinese, japanese, korean",
        weight=1.6,
    ),
    family(
        "dal",
        "soup",
        """
        main     red_lentils 1    300-500  tint    boiled
        veg      curry_veg   0-1  80-200   body    boiled
        aromatic @aromatic   2-3  .        hidden  fried
        water    water       1    700-1100 hidden  raw
        spice    @spice      2-4  .        tint    raw
        fat      @fat        1    .        hidden  raw
        creamy   coconut_milk 0-1  100-200  sauce   raw
        herb     @herb       1    .        top     raw
        acid     @acid       0-1  .        hidden  raw
        """,
        """
        rinse/soak main
        boil/simmer main+water in pot
        chop/grate aromatic
        heat fat in pan
        fry/toast spice in pan
        add/fry aromatic in pan
        pour/stir creamy+veg in pot
        simmer =dal
        mash/whisk =dal
        season =dal with season+acid
        serve/ladle =dal
        scatter herb
        """,
        titles="""
        [{adj} |everyday |]{main} dal[{with}|]
        {cuisine} lentil dal
        tadka dal[{with}|]
        """,
        vessels="bowl",
        cuisines="indian",
        weight=0.5,
    ),
)
