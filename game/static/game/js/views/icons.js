// Line icons on a field of 24 by 24, drawn in the colour of the text beside them.

import { html, svg } from "../../../vendor/lit-html/lit-html.js";

const lines = {
  draw: svg`<rect x="3.5" y="4" width="10" height="16" rx="2" /><path d="M11 12h9.5" /><path d="m17 8.5 3.5 3.5-3.5 3.5" />`,
  redeal: svg`<path d="M4.5 12a7.5 7.5 0 0 1 13-5.1L20 9.5" /><path d="M20 4.5v5h-5" /><path d="M19.5 12a7.5 7.5 0 0 1-13 5.1L4 14.5" /><path d="M4 19.5v-5h5" />`,
  none: svg`<circle cx="12" cy="12" r="8" /><path d="m6.5 17.5 11-11" />`,
  undo: svg`<path d="M8.5 5 4 9.5 8.5 14" /><path d="M4 9.5h10a5.5 5.5 0 0 1 0 11h-3" />`,
  restart: svg`<path d="M19 6 9 12l10 6Z" /><path d="M5 6v12" />`,
  fresh: svg`<path d="M12 5v14M5 12h14" />`,
  more: svg`<circle cx="5.5" cy="12" r="1.4" /><circle cx="12" cy="12" r="1.4" /><circle cx="18.5" cy="12" r="1.4" />`,
  link: svg`<path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L11.5 6.8" /><path d="M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.6-1.6" />`,
  close: svg`<path d="m6 6 12 12M18 6 6 18" />`,
  open: svg`<path d="m7 10 5 5 5-5" />`,
  deals: svg`<path d="M4 7h16M4 12h16M4 17h10" />`,
  help: svg`<circle cx="12" cy="12" r="9" /><path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.7" /><path d="M12 16.8v.1" />`,
  settings: svg`<path d="M4 7h9M19 7h1M4 12h2M12 12h8M4 17h10M20 17h0" /><circle cx="16" cy="7" r="2.4" /><circle cx="9" cy="12" r="2.4" /><circle cx="17" cy="17" r="2.4" />`,
  hint: svg`<path d="M9.5 18.5h5M10.5 21.5h3" /><path d="M9.5 15.8c0-2.1-3.3-3.3-3.3-7a5.8 5.8 0 0 1 11.6 0c0 3.7-3.3 4.9-3.3 7Z" />`,
  cup: svg`<path d="M8 4h8v6a4 4 0 0 1-8 0Z" /><path d="M8 6H4.5c0 3.2 1.2 4.8 3.6 5M16 6h3.5c0 3.2-1.2 4.8-3.6 5" /><path d="M12 14v3.5M8.5 20.5c0-2 1.3-3 3.5-3s3.5 1 3.5 3Z" />`,
  graph: svg`<path d="M4 4v16h16" /><path d="m7.5 9 4 1.5 3.5 5.5 4.5 1" />`,
  dots: svg`<path d="M6 12h0M12 12h0M18 12h0" stroke-width="3" />`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5" />`,
  moon: svg`<path d="M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10Z" />`,
  crown: svg`<path d="m4 8 4 4 4-6.5 4 6.5 4-4-1.5 9.5h-13Z" />`,
  share: svg`<path d="M12 15V4" /><path d="m8 7.5 4-4 4 4" /><path d="M7 11H5.5v9h13v-9H17" />`,
  race: svg`<path d="M5 21V4" /><path d="M5 5h14l-2.5 3.8L19 12.5H5" /><path d="M9.5 5v7.5M14 5v7.5M5 8.7h11.5" />`,
  flag: svg`<path d="M6 21V4" /><path d="M6 5h11l-2 3.5 2 3.5H6" />`,
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${lines[name]}</svg>`;
}
