<script>
// What a browser makes of a chart that stands above: arrows that go from one line to another, titles that do not touch.
addEventListener("load", () => {
  const boxOf = element => element.getBoundingClientRect();
  const arrows = [...document.querySelectorAll("line[marker-end]")].filter(arrow => boxOf(arrow).width > 100);
  const lines = [...document.querySelectorAll("line:not([marker-end])")].filter(line => boxOf(line).height > 1000);
  const titles = [...document.querySelectorAll("text[font-weight=bold]")];
  const apart = titles.every((title, i) => i === 0 || boxOf(title).left > boxOf(titles[i - 1]).right);
  const words = document.createElement("p");
  words.textContent = `${arrows.length} arrows between ${lines.length} lines; ${titles.map(title => title.textContent).join(", ")}; ${apart ? "apart" : "one over another"}`;
  document.body.append(words);
});
</script>
