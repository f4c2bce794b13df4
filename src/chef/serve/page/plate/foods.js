// How foods look from above: a colour and a shape for the words that name them.

// shape: words, and after them their colour. Shapes are drawn in pieces.js.
const LOOKS = {
  slab: `chicken turkey #d9a566 duck #a9643c beef steak liver sirloin tenderloin roast topside #7a4230 pork ham
    rabbit #d9a080 lamb goat #8f4b39 veal #c98f76 salmon #ef8f6b fish tilapia haddock halibut bass grouper bream
    #eee0c8 aubergine eggplant #6b4560 halloumi #f3dd9e snapper #eab39a mackerel #c9b8a4 catfish #e6d3b4`,
  chunk: `potato melon plantain swede ackee #ecc96b sweetpotato pumpkin calabaza #e2803a squash mango #eba53f
    pineapple #f4d04b watermelon #e85b57 beet #8d2448 turnip cauliflower cassava celeriac ricecake cod #efe3da
    parsnip #efe0b8 bread peanut #d29b59 chocolate morcilla #4b2a1e walnut almond #a9774a pecan #8d5a37 cashew
    fishcake apple #ead2a2 chorizo #b23c26 bacon sausage frankfurter #b4533f pancetta #c36a55 prosciutto #cf7568
    artichoke #a9b27a fig #7b4262 prune #4a2c3a anchovy tuna #b98a72 jujube #8a3a2c`,
  round: `tomato #d8432f carrot #ee8a2c cucumber #b9d58a courgette zucchini kiwi pickle #8fae55 radish #e3557a banana
    #f5dc84 daikon mozzarella #f6f1e6 peach apricot #f4a361 plum #6f3558 scallop #f5e6cf tomatillo #a9c25a`,
  citrus: `lemon #f4d643 lime #a9c94a orange #f39a2d grapefruit #ee7e62`,
  ball: `pea edamame #7cae45 chickpea #e2c083 lentil #8d6a3c bean #8b3f33 blueberry #44507f cherry cranberry
    pomegranate #a51d36 grape #7d4a83 raspberry #d03b5c strawberry #dd3b44 blackberry #3f2b47 raisin currant #55352b
    olive #5d6236 caper #75803f corn #f3c53d gnocchi #f0dfb4 marshmallow #fbf3ee dal splitpea #e2b04a fabe #f0e6d0
    nut #b07c4e blackeyedpea #d9c3a0`,
  leaf: `spinach kale chard callaloo collard #3f7d3c lettuce romaine #8fbc4e arugula greens grapeleaf #5a8f3e cabbage
    #bfd397 nori #23352a wakame #2c4a36`,
  herb: `basil parsley huacatay curryleaf limeleaf #3f8a3a cilantro coriander herb culantro #55a044 mint #4fa063 dill
    #6aa84f thyme oregano bayleaf epazote #6b8a4d rosemary #58784a sage #8aa077 scallion greenonion #7fb74f leek
    celery #a9cf7e`,
  grain: `rice tapioca #f8f2e2 couscous #eed391 quinoa #e6d5a8 bulgur #cf9f5c barley oat #dcc08d risotto orzo #f1e3bd
    polenta cornmeal sticks #f2c94f teff #9a7650`,
  strand: `spaghetti pasta noodle ramen bucatini #f1d283 udon sprout #f7ecd6 soba sobanoodle #b79a78 lasagna lasagne
    #efc66c kimchi #d5532f coconut ricenoodle #fbf8f0 glassnoodle #cbb389 greenpapaya #e3ebbd`,
  tube: `macaroni penne rigatoni ditalini shell #f2cd6a spätzle #f2d98c`,
  strip: `pepper #d8412f chili chile #c9281f jalapeno jalapeño #5f9a3c poblano #4f7f3a`,
  spear: `asparagus greenbean okra snowpea #6fa049 fennel #dbe6b8 broccoli #4d8a3d rhubarb #d8607a`,
  cube: `cheddar #f3b13c feta ricotta #fdf9f0 tofu paneer #f8efd9 gruyere #f3d684 avocado #b8cf71 pear #e2dc95 cheese
    #f6cd61`,
  wedge: `pita tortilla #e8cf9d naan flatbread ciabatta cracker #e3bd7f baguette toast bun roll #d9a35d chip #eebf4f
    wonton #f1ddb0 brioche #d8953f`,
  ring: `onion #e7d6ea shallot #d9a9c3 squid #f5ead8`, shrimp: `shrimp prawn #f2937a lobster #d9492f crab #e2694c`,
  mushroom: `mushroom #c9a67f shiitake portobello #8a5d3c porcini #a9764a`,
  shell: `mussel #2f2f45 clam #d9cdbb oyster #a9a294`, egg: `egg #fbf3e4`,
  disc: `biscuit pizza pancake cake cookie #dca857 crepe ladyfinger #ecc47a`,
  pool: `cream yogurt yoghurt mascarpone crema nata #fbf3e3 mayonnaise #f8edc6 sauce paste #a4452b salsa ketchup
    #c73c2b mustard curry #dba92f pesto #6d8f3a hummus tahini #ddc38e jam jelly #a82740 gravy #8a5a35 puree #c9542f
    custard applesauce #f4d581 miso #c08a4a dressing #e9d69a guacamole wasabi #9fbf58 cocoa #5a3322 chutney #d98a2f
    gochujang #b52a1f doubanjiang #9a2f1f`,
  liquid: `broth stock dashi #d9a650 milk buttermilk #fcf7ec wine hibiscus #7b2440 juice #f0b644 beer honey #d99b35
    tea #b5702f syrup #a8611f molasses #3b2218 coffee soysauce #55331f`,
  dust: `paprika cayenne gochugaru berbere rocoto #c8441f cumin masala #a5703a turmeric amarillo #e0a11d cinnamon
    #9a5b2f sesame garlic parmesan pecorino romano #f3e3bd poppyseed #333140 ginger #e4c887 seed powder #cdb07a
    cardamom #9aa06a clove #5b3a28 saffron #e07b1d zest #f1cf3f sumac #8d2f3a sprinkle #4b2a1e almondflour #ead2a2
    zaatar #6f7a3a panca #8a2f1f`,
  dough: `flour dough phyllo filo #e6bb72 pastry crust #e0ad5f`,
};
// Names of two words that are something else than their last word says; written as one word above.
const PAIRS = new RegExp(
  `sweet_potato green_bean snow_pea black_eyed_pea split_pea bay_leaf grape_leaf curry_leaf lime_leaf poppy_seed
  green_onion rice_noodle glass_noodle soba_noodle green_papaya rice_cake fish_cake fish_sauce oyster_sauce soy_sauce
  almond_flour vanilla_bean`.replace(/\s+/g, "|"),
);
// In the dish, but not to be seen.
const UNSEEN = new Set(
  `salt water oil butter margarine ghee lard tallow shortening ice yeast soda extract baking starch cornstarch bouillon
  vinegar mirin sake worcestershire fishsauce oystersauce vanillabean kombu paper bone sugar gelatin yolk white
  juice`.split(/\s+/),
);
const MADE_OF = /^(sauce|paste|puree|jam|jelly|syrup|salsa|pesto|wine|powder|chip|flake|cheese)$/;
const SPICES = /(black|white|cayenne|ground|aleppo)_pepper|pepper_flake|chili_powder|^pepper$/;
// The colour in "black beans" or "red cabbage" says more than the food.
const COLOURS = {
  green: "#7fae4a", red: "#b5382c", yellow: "#edc34a", black: "#3a2c2a", white: "#f3ead4", purple: "#4a2050",
  poblano: "#4f7f3a", amarillo: "#eda52f", fava: "#c9b26a",
};

const LOOK_OF = new Map(
  Object.entries(LOOKS).flatMap(([shape, text]) =>
    [...text.matchAll(/([^#]+)(#\w+)/g)].flatMap(([, words, colour]) =>
      words.trim().split(/\s+/).map((word) => [word, { shape, colour }]),
    ),
  ),
);
const singular = (word) =>
  [/$^/, /s$/, /es$/].map((end) => word.replace(end, "")).find((form) => LOOK_OF.has(form) || UNSEEN.has(form));

/** The shape and colour of a canonical ingredient; null when it cannot be seen (salt, water, oil) or is not known. */
export function lookOf(token) {
  const name = String(token).toLowerCase().replace("leaves", "leaf").replace("berries", "berry");
  if (SPICES.test(name)) return { shape: "dust", colour: /red|chili|caye|aleppo/.test(name) ? "#c8341f" : "#3a312c" };
  const words = name.replace(PAIRS, (pair) => pair.replaceAll("_", "")).split(/[_\s-]+/);
  for (let i = words.length - 1; i >= 0; i--) {
    const word = singular(words[i]);
    if (UNSEEN.has(word)) return null;
    if (!word) continue;
    const look = LOOK_OF.get(word);
    // Tomato sauce is red sauce; chocolate chips are chocolate.
    const made = MADE_OF.test(word) && i > 0 ? lookOf(words.slice(0, i).join("_")) : null;
    if (made) return { shape: /chip|flake|cheese/.test(word) ? made.shape : look.shape, colour: made.colour };
    const colour = /strip|ball|leaf|pool|liquid/.test(look.shape) && words.map((one) => COLOURS[one]).find(Boolean);
    return { ...look, colour: colour || look.colour };
  }
  return null;
}

/** A colour for a main ingredient, as on its plate. */
export const colourOf = (token) => (token && lookOf(token)?.colour) || "#b9a48f";
