// Which kind of dish a title names: words of many kitchens, and the kind that each stands for.

// A word of a title may end in one of these ("Linsensuppe", "cheesecake") and be in the plural; `_` joins two words.
const DISH_WORDS = {
  soup: `soup soupe sopa suppe zuppa chowder broth bisque ramen pho phở canh tom_kha tom_yum minestrone gazpacho borscht
    harira pozole çorbası shorbat avgolemono fasolada canja chupe samgyetang laksa congee jjigae callaloo`,
  stew: `stew chili chilli curry masala wat alicha tagine goulash dal tadka feijoada moqueca bobó estrogonofe stroganoff
    bourguignon coq ragout frikassee korma vindaloo butter_chicken rogan_josh palak aloo_gobi fabada marmitako maafe
    cà_ri kho ropa_vieja picadinho cacciatore chilindrón yassa gumbo ratatouille tinga ají_de_gallina mapo_tofu agedashi
    frijoles red_red bissara klopse mkaouara seco sốt tteokbokki tibs baked_beans beğendi huancaína chilaquiles moules`,
  salad: `salad salade salat salata insalata ensaladilla som_tam fattoush tabbouleh larb gỏi solterito kısır sunomono
    azifa panzanella ceviche poke`,
  shreds: "slaw kimchi sauerkraut rotkohl couve gomen namul greens carrot_salad",
  rice: `rice arroz riz pilaf pulao biryani risotto paella jambalaya kedgeree mujaddara jollof waakye thieboudienne
    gyudon donburi bibimbap couscous farofa tacu_tacu kra_pao lúc_lắc saltado`,
  noodles: `noodle pasta spaghetti macaroni mac_and_cheese tagliatelle fettuccine linguine penne carbonara bolognese
    spätzle pad_thai pad_see_ew chow_fun chow_mein lo_mein japchae soba udon bún`,
  meat: "schnitzel steak roast braten tonkatsu teriyaki griot carnitas char_siu cutlet chop bulgogi jerk ribs",
  fried: "fried_chicken tempura tostones kelewele chips fries bravas stir_fry wings kung_pao",
  bake: `gratin casserole lasagna lasagne moussaka parmigiana pastitsio shepherd's_pie cottage_pie toad_in_the_hole
    crumble cobbler bake enchilada`,
  tray: "baklava spanakopita pastilla kibbeh sfouf brownie cornbread tiramisu tiramisù toffee_pudding",
  pie: "pie galette strudel", tart: "tart tarte quiche crostata clafoutis",
  cake: "cake kuchen torte gateau gâteau bolo tres_leches causa",
  cookies: "cookie biscuit shortbread scone macaron ghriba dabo_kolo muffin",
  balls: `pão_de_queijo brigadeiro truffle coxinha croqueta croquette falafel akara puff-puff tangyuan onigiri meatball
    johnny_cake crab_cake fish_cake fritter arancini doughnut donut`,
  pancakes: "pancake crêpe crepe waffle blini dorayaki hotteok puffer latke chechebsa",
  flatbread: `flatbread naan injera roti chapati arepa pita pupusa dosa msemen khobz tortillas okonomiyaki pajeon
    bánh_xèo focaccia`,
  loaf: "bread loaf baguette brioche challah ciabatta dabo", ringBread: "simit bagel pretzel brezel",
  toast: "toast rarebit croque_monsieur bruschetta crostini grilled_cheese",
  burger: "burger slider sloppy_joe pulled_pork", baguette: "sandwich bánh_mì ekmek hot_dog panini",
  pizza: "pizza lahmacun manakish flammkuchen", tacos: "taco fajita gyro shawarma doubles tostada",
  dumplings: "dumpling jiaozi gyoza pierogi momo wonton ravioli mandu mantı empanada samosa pasty pasties pelmeni",
  skewers: "kebab kabob skewer satay souvlaki yakitori anticucho suya taouk kafta kofta köfte",
  rolls: `roll sushi maki kimbap dolmades dolma sarma burrito wrap cannelloni rouladen gỏi_cuốn böreği churro tamagoyaki
    bratwurst sausage`,
  stuffed: "gemista rellenos bayıldı stuffed_pepper", burntCream: "crème_brûlée crema_catalana flan",
  omelette: "omelette omelet frittata tortilla_española khai_jiao bauernfrühstück",
  eggs: "breakfast frühstück eggs", eggsInSauce: "shakshuka menemen huevos",
  dip: "dip hummus guacamole tzatziki ghanoush zaalouk pesto salsa",
  dessert: "pudding panna_cotta kheer mousse custard tembleque suspiro sütlaç chè ice_cream yogurt porridge oatmeal",
  drink: `lassi smoothie juice lemonade limonada horchata bissap chicha sangría sangria sinh_tố tea coffee cocoa
    cocktail punch shake`,
};
// Foods name a dish where nothing else does.
const FOOD_WORDS = {
  meat: `chicken pollo poulet gai beef pork lamb goat turkey duck fish pescado cod salmon saltfish pla kleftiko
    acqua_pazza psari samke`,
  stew: "beans lentils chickpeas mussels clams", fried: "gambas shrimp prawns tofu potatoes",
};
// On what a kind is served, where it is not a plate.
const SERVED = {
  bowl: "soup stew salad shreds dip", tin: "bake pie tray tart", pan: "omelette eggsInSauce", cup: "dessert burntCream",
  board: "flatbread loaf ringBread burger baguette pizza tacos", table: "drink",
};

// The last word that a table knows: English names the dish at the end, and a chicken noodle soup is a soup. Short words
// must stand alone. No \b: it takes a letter with an accent for an edge.
function lastWord(table) {
  const kinds = Object.entries(table).flatMap(([kind, words]) => words.split(/\s+/).map((word) => [word, kind]));
  kinds.sort((a, b) => b[0].length - a[0].length);
  const parts = kinds.map(([word]) => `(${word.length > 3 ? "\\p{L}*" : ""}${word.replaceAll("_", "[ -]")})`);
  const pattern = new RegExp(`(?<!\\p{L})(?:${parts.join("|")})(?:e?[sn]|en)?(?!\\p{L})`, "giu");
  return (title) => {
    const last = [...title.matchAll(pattern)].at(-1);
    return last && kinds[last.slice(1).findIndex(Boolean)][1];
  };
}
const [byDish, byFood] = [lastWord(DISH_WORDS), lastWord(FOOD_WORDS)];
const SIDES = / (?:with|and|in|on|de|con|al|alla|à|a la|bil) .*/i;

/** The kind of dish that a title names, or "plain". What comes with it counts only where the rest says nothing. */
export function kindOfDish(title) {
  const dish = title.replace(SIDES, "");
  return byDish(dish) ?? byDish(title) ?? byFood(dish) ?? byFood(title) ?? "plain";
}

/** On what it is served. */
export const vesselOf = (kind) => Object.keys(SERVED).find((name) => SERVED[name].split(" ").includes(kind)) ?? "plate";
