"""Every link of the pages in a folder leads to a file and a place in it: links_of_pages.py FOLDER."""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), []
        with open(path, encoding="utf-8") as text:
            self.feed(text.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                assert value not in self.places, f"two places are called {value}"
                self.places.add(value)
            if name in ("href", "src"):
                self.links.append(value)


def main(folder):
    pages = {name: Page(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".html")}
    count = 0
    for name, page in pages.items():
        for link in page.links:
            count += 1
            target, _, place = link.partition("#")
            target = urllib.parse.unquote(target) or name
            assert os.path.exists(os.path.join(folder, target)), f"{name}: no file for {link}"
            assert not place or urllib.parse.unquote(place) in pages[target].places, f"{name}: no place for {link}"
    print(f"{len(pages)} pages, {count} links")


if __name__ == "__main__":
    main(sys.argv[1])
