// Small words: how tokens, counts and actions are written for people.

/** "green_beans" -> "green beans". */
export const readable = (token) => String(token ?? "").replaceAll("_", " ");

/** "1 recipe", "12 recipes". */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** 95 -> "1 h 35 min". */
export const duration = (minutes) =>
  [minutes >= 60 && `${Math.floor(minutes / 60)} h`, (minutes % 60 || !minutes) && `${minutes % 60} min`]
    .filter(Boolean)
    .join(" ");

/** "a", "a and b", "a, b and c". */
export function listed(words) {
  const all = words.map(readable);
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

// What a cook's word does to the food; it gives the word its colour.
const KINDS = {
  heat: `
    bake boil braise broil brown brush caramelize char cook crisp fry deep-fry grill heat melt microwave pan-fry
    poach preheat reduce reheat roast sauté saute scald sear simmer smoke steam stew stir-fry sweat toast warm
    blanch`,
  cut: `
    chop cube cut debone dice core crush grate grind halve hull julienne mash mince peel pit pound press puree
    quarter seed shred slice snip split tear trim zest score carve`,
  mix: `
    add beat blend coat combine cream dip dissolve dredge drizzle fold knead layer marinate mix pour rub season
    sprinkle spread stir stuff toss whip whisk top roll fill scatter squeeze spoon work`,
  rest: `
    chill cool cover drain dry freeze let leave refrigerate remove rest rinse rise serve set sit soak stand
    strain thaw transfer wash garnish place put store wrap bring`,
};
const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word) => [word, kind]),
  ),
);

/** Actions and main ingredients below this confidence are not shown: about half of them are wrong. */
export const SURE = 0.5;

/** The main ingredient of a dish where it is sure, else null. */
export const mainOf = (dish) => (dish.main_confidence >= SURE ? dish.main_ingredient : null);

/** What an action word does: "heat", "cut", "mix", "rest", or "other". Takes "chopped" and "frying" too. */
export function kindOf(action) {
  const word = String(action ?? "").toLowerCase();
  const stems = [word, word.replace(/(ing|ed|es|s|d)$/, ""), word.replace(/(ing|ed)$/, "e")];
  // "chopped" -> "chop", "fried" -> "fry"
  stems.push(word.replace(/(.)\1(ing|ed)$/, "$1"), word.replace(/ie[sd]$/, "y"));
  for (const stem of stems) if (KIND_OF.has(stem)) return KIND_OF.get(stem);
  return "other";
}

/** Where the words of a token first stand in a text: [start, end], or null. */
export function placeOf(token, text) {
  const words = readable(token)
    .split(/[\s-]+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!words.length) return null;
  const match = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("[\\s-]+")}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  return match && [match.index, match.index + match[0].length];
}
