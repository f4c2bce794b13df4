// What a swap or a prune changed: lines matched with lines, words with words.

/** The pairs of a longest common subsequence: [[i, j], ...]. */
function common(a, b, equal) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i][j] = equal(a[i], b[j]) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (equal(a[i], b[j])) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/**
 * Old and new lines side by side: [{old, now}] in order; a line without `now` went, one without `old` came.
 * Lines between equal neighbours are taken as rewritten when they share a word, or when as many came as went.
 */
export function lineChanges(old, now) {
  const rows = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...common(old, now, (a, b) => a === b), [old.length, now.length]]) {
    const gone = old.slice(i, nextI);
    const came = now.slice(j, nextJ);
    if (gone.length === came.length) gone.forEach((line, n) => rows.push({ old: line, now: came[n] }));
    else rows.push(...matched(gone, came));
    if (nextI < old.length) rows.push({ old: old[nextI], now: now[nextJ] });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return rows;
}

function matched(gone, came) {
  const rows = [];
  let n = 0;
  for (const line of gone) {
    if (n < came.length && alike(line, came[n])) rows.push({ old: line, now: came[n++] });
    else rows.push({ old: line });
  }
  return [...rows, ...came.slice(n).map((line) => ({ now: line }))];
}

function alike(a, b) {
  const words = new Set(a.toLowerCase().match(/\p{L}{3,}/gu) ?? []);
  const others = b.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return others.filter((word) => words.has(word)).length * 2 >= Math.max(words.size, others.length);
}

/** The new text in parts: [{text, isNew}]; words that the old text has in this order are not new. */
export function wordChanges(old, now) {
  const parts = (text) => text.match(/\s+|[\p{L}\p{N}'’-]+|[^\s\p{L}\p{N}]/gu) ?? [];
  const [a, b] = [parts(old), parts(now)];
  const kept = new Set(common(a, b, (x, y) => x === y).map(([, j]) => j));
  const out = [];
  b.forEach((text, j) => {
    // A blank between two new words belongs to them.
    const isBlank = /^\s+$/.test(text);
    const isNew = !kept.has(j) || (isBlank && j > 0 && !kept.has(j - 1) && j + 1 < b.length && !kept.has(j + 1));
    if (out.length && out.at(-1).isNew === isNew) out.at(-1).text += text;
    else out.push({ text, isNew });
  });
  return out;
}
