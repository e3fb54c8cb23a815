// What the players' pages do better with JavaScript; all of it works without, too.

const language = document.documentElement.lang;

// Times stand in the page in UTC, and are shown in the reader's own zone.

const styles = {
  moment: { dateStyle: "short", timeStyle: "short" },
  day: { dateStyle: "medium" },
  month: { month: "long", year: "numeric" },
};
for (const time of document.querySelectorAll("time[data-shown]")) {
  const shown = new Intl.DateTimeFormat(language, styles[time.dataset.shown]);
  time.textContent = shown.format(new Date(time.dateTime));
}

// A list of filters is asked for as soon as one is chosen.

for (const form of document.querySelectorAll("[data-by-itself]")) {
  form.querySelector("button").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", () => {
    for (const field of form.querySelectorAll("select")) field.disabled = !field.value;
  });
  addEventListener("pageshow", () => {
    for (const field of form.querySelectorAll("select")) field.disabled = false;
  });
}

// A password can be looked at while it is typed.

const eye = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"/><circle cx="12" cy="12" r="3"/></svg>`;
const say = document.querySelector("[data-show-password]")?.dataset.showPassword;
for (const field of say ? document.querySelectorAll("input[type=password]") : []) {
  const frame = document.createElement("div");
  const button = document.createElement("button");
  frame.className = "secret";
  button.type = "button";
  button.innerHTML = eye;
  button.title = say;
  button.setAttribute("aria-label", say);
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const seen = field.type === "text";
    field.type = seen ? "password" : "text";
    button.setAttribute("aria-pressed", String(!seen));
    field.focus();
  });
  field.form.addEventListener("submit", () => (field.type = "password"));
  const focused = document.activeElement === field;
  field.replaceWith(frame);
  frame.append(field, button);
  if (focused) field.focus();
}
