// Changes the language as soon as another is chosen, and keeps the page where it is.

const form = document.querySelector("[data-language]");
form.classList.add("by-itself");
form.addEventListener("change", async () => {
  const { csrfmiddlewaretoken: token, next } = form.elements;
  next.value = location.pathname;
  // The page's own token is an old one once its visitor has become a player.
  token.value = cookie("csrftoken") || token.value;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!answer.ok) throw new Error(answer.statusText);
    location.reload();
  } catch {
    form.submit();
  }
});

function cookie(name) {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}
