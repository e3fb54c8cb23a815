// Deals as people write them.

/** The deal in what somebody has typed or pasted: its number, with other digits and spaces, or a
 * whole link, which names the rule set too. Null where there is none. */
export function numberIn(text) {
  const typed = text.normalize("NFKC");
  const link = typed.match(/\/play\/([a-z0-9-]+)\/(\d+)/);
  const digits = link ? link[2] : typed.replace(/[\s,.#\u2019]/g, "");
  return /^\d{1,18}$/.test(digits) ? { rules: link?.[1], number: Number(digits) } : null;
}
