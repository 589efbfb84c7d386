"""A Chromium without a window, driven by chromedriver: pages that are loaded, waited for and read."""

import json
import re
import subprocess
import time
import urllib.request


class Browser:
    def __init__(self, folder):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next(match[1] for line in self.driver.stdout if (match := re.search(r"started successfully on port (\d+)", line)))
        self.url = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser"]
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}}
        try:
            self.url += "/" + self.ask("", wanted)["sessionId"]
        except OSError:
            self.driver.kill()
            raise

    def ask(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def value(self, expression):
        return self.ask("/execute/sync", {"script": f"return {expression};", "args": []})

    def page(self, address, is_done):
        """The page as it stands when the expression is true; a page of before is left behind."""
        self.ask("/url", {"url": "about:blank"})
        self.ask("/url", {"url": address})
        end = time.monotonic() + 60
        while not self.value(is_done) and time.monotonic() < end:
            time.sleep(0.05)
        return self.value("document.documentElement.outerHTML")

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.url, method="DELETE"), timeout=20).close()
        finally:
            self.driver.kill()
            self.driver.wait()
