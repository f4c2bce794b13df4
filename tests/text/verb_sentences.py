"""Sentences written for the verb test, the words used as verbs in capitals.

Held out: the rules of chef.text.verbs were written on other sentences.
"""

SENTENCES = """\
SOAK the beans overnight in cold water
CRUSH the garlic with the flat side of a knife
in the meantime COOK the rice as DIRECTED on the packet
SEAR the steaks on both sides then TRANSFER to a plate
GRIND the spices to a fine powder
SLICE the cucumber thinly and SALT it
WRAP the potatoes in foil and BAKE until soft
WARM the tortillas in a dry pan
BLEND the soup until smooth and ADJUST the seasoning
STUFF the peppers with the rice mixture and ARRANGE them in a dish
GLAZE the ham with honey and mustard
after ten minutes FLIP the pancakes
carefully LIFT the cake out of the tin and COOL on a rack
MELT the butter with the chocolate over a pan of simmering water
BRUSH the pastry with beaten egg
for the dressing SHAKE oil vinegar and mustard in a jar
RETURN the beef to the pot and POUR in the wine
STRAIN the stock through a sieve and DISCARD the bones
SPRINKLE with sugar and cinnamon
THREAD the meat onto skewers and GRILL for eight minutes
CORE and SLICE the apples
SPOON the batter into the muffin cups
PAT the fish dry with kitchen paper
LEAVE to rise until doubled in size
PRESS the dough into the pan and PRICK it with a fork
DICE two onions and SWEAT them slowly
FREEZE the berries for up to three months
CRACK the eggs into a cup
MEASURE the flour into a bowl and MAKE a well in the centre
KEEP warm while you FINISH the sauce
TASTE and SEASON again if needed
FILL each glass with ice and POUR the punch over it
BOIL the potatoes for twenty minutes then DRAIN and PEEL them
RUB the butter into the flour until it LOOKS like crumbs
POACH the pears in red wine with sugar
TURN the heat up and DEGLAZE with a splash of water
PULSE the nuts in a food processor
SERVE over rice with lime wedges
""".splitlines()
