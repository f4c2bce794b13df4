// Files from the person: dropped folders read to their leaves, and photos made small enough to send.

const MOST = 1600; // pixels on the longer side: far more than any model looks at
const SMALL = 1_500_000; // bytes that travel as they are

/** All files of a drop, those in folders too: [{file, path}]. */
export async function filesOf(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map((entry) => leaves(entry, "")))).flat();
}

async function leaves(entry, folder) {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path }];
  }
  const reader = entry.createReader();
  const entries = [];
  // A reader gives a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    entries.push(...some);
  }
  return (await Promise.all(entries.map((one) => leaves(one, `${path}/`)))).flat();
}

/** The files of an <input type=file>, with their paths in a chosen folder. */
export const chosen = (input) =>
  [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/** A photo to send, and a picture of it to show: {blob, canvas}. Not openable here: canvas is null. */
export async function prepared(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { blob: file, canvas: null }; // the service knows more formats, and says what is wrong
  }
  const scale = Math.min(1, MOST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  if (file.size <= SMALL) return { blob: file, canvas };
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
  return { blob: blob ?? file, canvas };
}
