// search -- looks through names.js as one types; / goes to the field, arrows and Enter choose.
"use strict";
const field = document.getElementById("search");
const list = document.getElementById("found");
let chosen = 0;

// How well a name fits what was typed: smaller is better, -1 not at all.
function rank(entry, wanted) {
  const name = entry[0].toLowerCase();
  const at = name.indexOf(wanted);
  if (name === wanted) return 0;
  if (at === 0) return 1;
  if (at > 0) return name[at - 1] === "." ? 2 : 3;
  return wanted.length > 2 && entry[3].toLowerCase().includes(wanted) ? 4 : -1;
}

function find() {
  const wanted = field.value.trim().toLowerCase();
  const fits = wanted === "" ? [] : names.map(entry => [rank(entry, wanted), entry]).filter(pair => pair[0] >= 0);
  fits.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
  list.replaceChildren(...fits.slice(0, 30).map(([, entry]) => {
    const item = document.createElement("li"), link = document.createElement("a"), words = document.createElement("small");
    link.href = entry[2];
    link.textContent = entry[0];
    words.textContent = entry[1] + " in " + entry[2].split(".html")[0];
    item.append(link, words);
    return item;
  }));
  choose(0);
}

function choose(index) {
  chosen = Math.max(0, Math.min(index, list.children.length - 1));
  [...list.children].forEach((item, at) => item.classList.toggle("chosen", at === chosen));
}

field.addEventListener("input", find);
field.addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    event.preventDefault();
  } else if (event.key === "Enter" && list.children.length) {
    location.href = list.children[chosen].querySelector("a").href;
  } else if (event.key === "Escape") {
    field.value = "";
    find();
  }
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== field) {
    field.focus();
    event.preventDefault();
  }
});
