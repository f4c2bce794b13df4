// How foods look from above: a colour and a shape for the words that name them.

import { chance, hash } from "../tools/random.js";

// shape: words with their colours. Shapes are drawn in pieces.js.
const LOOKS = {
  slab: `
    chicken #d9a566  turkey #d8ab74  duck #a9643c  beef #7a4230  steak #7d3f2c  pork #d9a080  ham #e79a92
    lamb #8f4b39  veal #c98f76  venison #6d3527  salmon #ef8f6b  fish #eee0c8  cod #f0e6d4  trout #e9a98a
    halibut #f0e6d2  tilapia #efe2d0  tuna #b9696a  haddock #f0e6d4  brisket #7d412f  rib #8a4532
    chop #cf9472  fillet #eadcc4  cutlet #d8a566  schnitzel #d79b4d  liver #7a3b33  aubergine #6b4560
    eggplant #6b4560  tempeh #c9a06a  seitan #b98253  halloumi #f3dd9e`,
  chunk: `
    potato #ecc96b  sweetpotato #e2803a  pumpkin #e8892f  squash #eba53f  mango #f5ae37  pineapple #f4d04b
    melon #f3b46c  watermelon #e85b57  beet #8d2448  beetroot #8d2448  turnip #efe3da  parsnip #efe0b8
    rutabaga #e9c78a  yam #da8348  bread #d29b59  crouton #c98d49  cauliflower #f4ecd6  meatball #7d4a33
    mince #85513c  chocolate #4b2a1e  walnut #a9774a  pecan #8d5a37  cashew #ead2a2  almond #b87a48
    hazelnut #a86f41  nut #b07c4e  peanut #cf9f62  sausage #a4523a  chorizo #b23c26  salami #b44a44
    bacon #b4533f  pancetta #c36a55  prosciutto #cf7568  artichoke #a9b27a  papaya #f08c4f  plantain #ecc25a
    jackfruit #ead089  fig #7b4262  date #6b3a22`,
  round: `
    tomato #d8432f  carrot #ee8a2c  cucumber #b9d58a  courgette #8fae55  zucchini #8fae55  radish #e3557a
    banana #f5dc84  pepperoni #c0402c  orange #f39a2d  lemon #f4d643  lime #a9c94a  grapefruit #ee7e62
    lotus #efdcc3  daikon #f6f1e6  kiwi #93b64a  peach #f4a361  apricot #f2a24a  nectarine #ee8a55
    plum #6f3558  scallop #f5e6cf  mozzarella #fbf4e6  persimmon #ee8436  passionfruit #e9b33c`,
  ball: `
    pea #7cae45  chickpea #e2c083  lentil #8d6a3c  bean #8b3f33  blueberry #44507f  cherry #a51d36
    grape #7d4a83  cranberry #b02337  raspberry #d03b5c  strawberry #dd3b44  blackberry #3f2b47
    currant #8a1f38  raisin #55352b  olive #5d6236  caper #75803f  corn #f3c53d  edamame #8cb84f
    gnocchi #f0dfb4  dumpling #f3e6cf  ravioli #efd58f  tortellini #efd58f  pomegranate #b3203d
    sultana #a9723c  soybean #d8c085  hominy #f2e4bd  berry #8a2f56  marshmallow #fbf3ee  acai #4a2c50`,
  leaf: `
    spinach #3f7d3c  lettuce #8fbc4e  kale #3f6b3a  arugula #5a8f3e  rocket #5a8f3e  chard #47803d
    cabbage #bfd397  bokchoy #7fb05a  watercress #4f8a3d  salad #86b54c  endive #d3dd8e  radicchio #86304f
    romaine #86b54c  collard #3c6b39  greens #4c8a3f  choy #7fb05a  nori #23352a  seaweed #2c4a36
    grapeleaf #5f7b3a`,
  herb: `
    basil #3f8a3a  parsley #4a9440  cilantro #55a044  coriander #55a044  mint #4fa063  dill #6aa84f
    thyme #6b8a4d  rosemary #58784a  oregano #66853f  sage #8aa077  chive #57a03f  tarragon #5c9245
    scallion #7fb74f  herb #4f9440  bayleaf #6f8a4c  lemongrass #b9c977  shiso #6d4a68  chervil #63a24a
    marjoram #6a8f4f  leek #a9cf7e  celery #b3d17a`,
  grain: `
    rice #f8f2e2  couscous #eed391  quinoa #e6d5a8  bulgur #cf9f5c  barley #dcc08d  oat #e0c496
    farro #b98a52  risotto #f1e3bd  polenta #f2c94f  grits #f6ecd0  semolina #f0d795  millet #ecd27f
    cornmeal #f2c94f  granola #c4904f  muesli #cda264  buckwheat #a57c50  orzo #f2e1ad  wheat #d9b376`,
  strand: `
    spaghetti #f1d283  pasta #f0cf7e  noodle #f2d692  linguine #f1d283  fettuccine #f3d88f
    vermicelli #f6ead0  ramen #f1d07a  udon #f7ecd6  soba #b79a78  tagliatelle #f1d283  macaroni #f2cd6a
    penne #f0cf7e  rigatoni #f0cf7e  fusilli #efca74  lasagna #efc66c  lasagne #efc66c  ziti #f0cf7e
    shell #f0cf7e  sprout #f1ecd4  sauerkraut #e9e0b8  kimchi #d5532f  slaw #dfe3b8  coconut #fbf8f0
    tripe #eadfc8`,
  ring: `
    onion #e7d6ea  shallot #d9a9c3  calamari #f5ead8  squid #f5ead8  octopus #c9788a`,
  strip: `
    pepper #d8412f  paprikapepper #d8412f  capsicum #d8412f  chili #c9281f  chile #c9281f  chilli #c9281f
    jalapeno #5f9a3c  jalapeño #5f9a3c  poblano #4f7f3a  pimento #d5392c  pimiento #d5392c  bamboo #f0dfae`,
  spear: `
    asparagus #6fa049  greenbean #5c9a41  fennel #dbe6b8  broccoli #4d8a3d  okra #7ca24b  rhubarb #d8607a
    broccolini #4d8a3d  stringbean #5c9a41  snowpea #6fae49  rapini #4f8a3d  palm #f1e8cf`,
  cube: `
    cheese #f6cd61  cheddar #f3b13c  feta #fdf9f0  tofu #f8efd9  paneer #faf1dc  gouda #f3c158
    gruyere #f3d684  swiss #f6df8f  halva #e0c08f  avocado #b8cf71  apple #e9db8f  pear #e2dc95
    butterscotch #d8913d  caramel #c9792b  fudge #53301f  marzipan #f3dfb0  brie #f8ecd0  parmesan #f5e3ae
    pecorino #f5e6b8  ricotta #fdf8ee`,
  wedge: `
    pitapocket #e8cf9d  pita #e8cf9d  naan #e3bd7f  tortilla #f0dba9  flatbread #e3bd7f  baguette #d9a35d
    toast #cf9650  ciabatta #deb273  bun #d89c52  bagel #cf9148  roll #dba763  cracker #e0b670
    nacho #eebf4f  chip #eebf4f  wonton #f1ddb0  brioche #d8953f`,
  shrimp: `
    shrimp #f2937a  prawn #f2937a  lobster #d9492f  crab #e2694c  crayfish #d9492f  langoustine #e2694c`,
  shell: `
    mussel #2f2f45  clam #d9cdbb  oyster #a9a294  cockle #cfc3b0`,
  mushroom: `
    mushroom #c9a67f  champignon #e3cdb0  shiitake #8a5d3c  porcini #a9764a  portobello #7a5540
    truffle #4a372c`,
  egg: `
    egg #fbf3e4`,
  dough: `
    flour #e6bb72  dough #e6bb72  pastry #e0ad5f  crust #d9a254  phyllo #e3b768  filo #e3b768`,
  disc: `
    biscuit #dca857  pizza #e3b066  pancake #dca04a  crepe #ecc47a  cake #dba660  cookie #cf9a55
    matzo #e6c68a  sponge #ecc77f  gingersnap #a9683a  graham #c9975a  ladyfinger #eac98a`,
  pool: `
    cream #fbf3e3  yogurt #fdf8ee  yoghurt #fdf8ee  mayonnaise #f8edc6  sauce #a4452b  salsa #c73c2b
    ketchup #b92f22  mustard #dba92f  pesto #6d8f3a  hummus #ddc38e  tahini #dcc49a  jam #a82740
    jelly #b3304a  gravy #8a5a35  curry #d6952e  soup #d8763a  puree #c9542f  paste #b0402a  custard #f4d581
    pudding #e9cd97  miso #c08a4a  dressing #e9d69a  guacamole #9fbf58  salsaverde #7b9a3e  cocoa #5a3322
    pumpkinpuree #e08a30  applesauce #e6c877  kefir #fdf8ee  quark #fdf8ee  mascarpone #fcf4e2
    creme #fbf3e3  ganache #472719  frosting #fbeee6  icing #fdf6f2`,
  liquid: `
    broth #d9a650  stock #d9a650  milk #fcf7ec  buttermilk #fbf3dd  wine #7b2440  vinegar #b97a4a
    juice #f0b644  beer #d99b35  coffee #55331f  tea #b5702f  rum #b97335  dashi #cf9f58  whey #f6ecd2
    soy #4c2c1e  syrup #a8611f  honey #dd9a2b  molasses #3b2218  mirin #d9a650  sake #f1e6c8  brandy #a8611f
    lemonade #f4d643  gelatin #f0c0a0`,
  dust: `
    paprika #c8441f  cumin #a5703a  turmeric #e0a11d  cinnamon #9a5b2f  nutmeg #8a5a35  sesame #f3e3bd
    poppyseed #333140  garlic #f6ecd2  ginger #e4c887  peppercorn #3a312c  cayenne #c8341f  sugar #fff8ea
    spice #a5602f  seed #cdb07a  cardamom #9aa06a  clove #5b3a28  saffron #e07b1d  za'atar #7b8450
    breadcrumb #d9ab63  panko #e3bd7b  zest #f1cf3f  vanilla #4f3a2a  anise #8a5a35  allspice #7a4a2c
    masala #b5652d  fenugreek #c9a24a  sumac #8d2f3a  chia #4b4742  flax #a9733f  powder #c9a06a`,
};
// Names of two words that are another thing than their last word says; written together above.
const PAIRS =
  "sweet_potato green_bean string_bean snow_pea bay_leaf grape_leaf bok_choy passion_fruit poppy_seed".split(" ");
// On the plate, but not to be seen.
const UNSEEN = new Set(
  `salt water oil butter margarine ghee lard shortening ice yeast soda extract baking starch cornstarch bouillon essence
  spray gum vodka`.split(/\s+/),
);
const MADE_OF = new Set("sauce paste puree soup juice jam jelly syrup salsa pesto wine powder chip flake".split(" "));
const SEEDS_AND_SPICE = {
  black_pepper: "#3a312c",
  white_pepper: "#d9cdb5",
  red_pepper_flake: "#c8341f",
  cayenne_pepper: "#c8341f",
  chili_powder: "#b8401f",
  lemon_pepper: "#c9b45a",
  ground_pepper: "#3a312c",
};

const LOOK_OF = new Map(
  Object.entries(LOOKS).flatMap(([shape, text]) => {
    const words = text.trim().split(/\s+/);
    return words.flatMap((word, i) => (i % 2 ? [] : [[word, { shape, colour: words[i + 1] }]]));
  }),
);

/** The shape and colour of a canonical ingredient; null when it cannot be seen (salt, water, oil). */
export function lookOf(token) {
  let name = String(token).toLowerCase();
  for (const [spice, colour] of Object.entries(SEEDS_AND_SPICE))
    if (name.includes(spice)) return { shape: "dust", colour };
  if (name === "pepper") return { shape: "dust", colour: "#3a312c" };
  for (const pair of PAIRS) name = name.replace(pair, pair.replace("_", ""));
  const words = name.split(/[_\s-]+/).filter(Boolean);
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i];
    if (UNSEEN.has(word)) return null;
    const look =
      LOOK_OF.get(word) ??
      LOOK_OF.get(word.replace(/s$/, "")) ??
      LOOK_OF.get(word.replace(/es$/, "")) ??
      LOOK_OF.get(word.replace(/ies$/, "y")) ??
      LOOK_OF.get(word.replace(/ves$/, "f"));
    if (!look) continue;
    const kind = word.replace(/s$/, "");
    const of = MADE_OF.has(kind) && i > 0 ? lookOf(words.slice(0, i).join("_")) : null;
    // Tomato sauce is red sauce; chocolate chips are chocolate.
    return of ? { shape: ["chip", "flake"].includes(kind) ? of.shape : look.shape, colour: of.colour } : look;
  }
  return unknown(name);
}

const WARM = ["#c98a4b", "#b5713c", "#d9a25f", "#a8653a", "#cf9a6a", "#e0b06c", "#b98b5e", "#c77b4a"];

// A food that the table does not know: a warm colour and a plain shape of its own.
function unknown(name) {
  const random = chance(hash(name));
  const shapes = ["chunk", "round", "ball", "cube"];
  const one = (list) => list[Math.floor(random() * list.length)];
  return { shape: one(shapes), colour: one(WARM) };
}

/** A colour for a main ingredient, as on its plate. */
export const colourOf = (token) => (token && lookOf(token)?.colour) || "#b9a48f";
