// Whether a title names a dish: word lists that can be read, made into one pattern each.

/**
 * A test for titles. Words are written apart; `_word` must begin a word, `word_` must end one, and `+` joins two.
 *
 *   const isPie = named("_pie_ cobbler tarte+tatin");
 */
export function named(words) {
  const parts = words
    .trim()
    .split(/\s+/)
    .map((word) => {
      const letters = word.replace(/^_|_$/g, "").replace("+", "\\s");
      return `${word.startsWith("_") ? EDGE_LEFT : ""}${letters}${word.endsWith("_") ? EDGE_RIGHT : ""}`;
    });
  const pattern = new RegExp(parts.join("|"), "iu");
  return (title) => pattern.test(title);
}

// Like \b, but a letter with an accent is a letter too.
const EDGE_LEFT = "(?<![\\p{L}\\p{N}])";
const EDGE_RIGHT = "(?![\\p{L}\\p{N}])";
