// Changes the language as soon as another is chosen, and keeps the page where it is.

import { freshToken } from "./token.js";

for (const form of document.querySelectorAll("[data-language]")) {
  form.classList.add("by-itself");
  form.addEventListener("change", () => change(form));
}

async function change(form) {
  form.elements.next.value = location.pathname + location.search;
  freshToken(form);
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!answer.ok) throw new Error(answer.statusText);
    location.reload();
  } catch {
    form.submit();
  }
}
