/** Gives a form the CSRF token of now: the page's own is an old one once its visitor has become a
 * player. */
export function freshToken(form) {
  const field = form.elements.csrfmiddlewaretoken;
  field.value = cookie("csrftoken") || field.value;
}

function cookie(name) {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}
