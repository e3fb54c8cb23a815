// The keys of the page: each does what its button does.

/** `keys` are acts by letter or name; `repeats(key)` says whether one that is held down goes on. */
export function wireKeys(store, keys, repeats) {
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input, select, textarea, dialog");
    if (writing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const key = keyOf(event);
    const does = store.game && keys[key];
    if (!does) return;
    event.preventDefault();
    // A key that is held down takes up where the last answer left it, and asks for nothing in vain.
    if (event.repeat && (store.busy || !repeats(key))) return;
    does();
  });
}

/** The letter of the key, also where the layout writes another alphabet with it. */
function keyOf(event) {
  if (/^[^\x00-\x7f]$/.test(event.key) && event.code.startsWith("Key"))
    return event.code[3].toLowerCase();
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
