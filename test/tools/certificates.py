"""Certificates for tests, made by openssl in a folder: an authority, and what it has signed, or has not."""

import os
import subprocess

CONFIG = """[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
rand_serial = yes
[any]
commonName = supplied
"""
NAMES = "DNS:localhost,IP:127.0.0.1"


class Certificates:
    def __init__(self, folder):
        self.folder = folder
        with open(self.path("ca.cnf"), "w") as file:
            file.write(CONFIG)
        open(self.path("index.txt"), "w").close()
        self.of_itself("ca", "Authority", None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def pair(self, name):
        """The files of a certificate and its key."""
        return self.path(name + ".pem"), self.path(name + ".key")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True, timeout=30)

    def request(self, kind, name, subject, names, *more):
        extensions = ["-addext", "subjectAltName=" + names] if names else []
        self.openssl("req", *kind, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", name + ".key",
                     "-subj", "/CN=" + subject, *extensions, *more)

    def of_itself(self, name, subject, names):
        self.request(["-x509"], name, subject, names, "-days", "2", "-out", name + ".pem")

    def signed(self, name, names=NAMES, first="20200101000000Z", last="20490101000000Z"):
        self.request(["-new"], name, name, names, "-out", name + ".csr")
        self.openssl("ca", "-batch", "-config", "ca.cnf", "-in", name + ".csr", "-out", name + ".pem", "-notext", "-cert", "ca.pem",
                     "-keyfile", "ca.key", "-startdate", first, "-enddate", last)
