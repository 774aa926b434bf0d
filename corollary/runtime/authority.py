"""Where does a workload get its identity? From SPIRE, else from files, else from an authority of its own, to try it.

The authority for development lies in a folder. Whoever can read that folder can be anybody, so it is for one machine.
"""

import datetime
import os
from collections.abc import Callable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from corollary.runtime.identity import CHAIN, SecurityViolation, Svid, from_files, svid_of
from corollary.runtime.secret import kept

SOCKET = "SPIFFE_ENDPOINT_SOCKET"  # the variable that says where the Workload API is, by the standard
DOMAIN = "corollary.local"  # the trust domain of the authority for development
AUTHORITY = "authority.pem"
ROOT_LIFE, LIFE = datetime.timedelta(days=3650), datetime.timedelta(hours=1)
SKEW = datetime.timedelta(minutes=5)  # by which clocks may differ
PATIENCE = 10.0  # s until the Workload API has answered
CURVE = ec.SECP256R1()
Source = Callable[[], Svid]


def source_of(folder: Path, name: str) -> Source:
    """Return what finds the identity of this workload; `name` is its path, if the authority for development gives it.

    Raises `SecurityViolation`.
    """
    if os.environ.get(SOCKET):
        return from_workload_api()
    if (folder / CHAIN).exists():
        return lambda: from_files(folder)
    authority = Authority(folder)
    return lambda: authority.issue(f"spiffe://{DOMAIN}/{name}")


def from_workload_api() -> Source:
    """Return what finds the identity that SPIRE gives, and renews; raises `SecurityViolation`."""
    try:
        from spiffe import X509Source
        from spiffe.errors import PySpiffeError
    except ModuleNotFoundError:
        raise SecurityViolation(f"{SOCKET} is set, and spiffe is missing: pip install 'corollary[spire]'") from None
    try:
        api = X509Source(timeout_in_seconds=PATIENCE)
    except PySpiffeError as problem:
        raise SecurityViolation(f"the Workload API at {os.environ[SOCKET]} gives no identity: {problem}") from None

    def current():
        try:
            svid = api.get_x509_context().default_svid
            bundle = api.get_bundle_for_trust_domain(svid.spiffe_id.trust_domain)
        except PySpiffeError as problem:
            raise SecurityViolation(f"the Workload API gives no identity any more: {problem}") from None
        authorities = bundle.x509_authorities if bundle else ()
        return svid_of(
            b"".join(each.public_bytes(Encoding.PEM) for each in svid.cert_chain),
            key_bytes(svid.private_key),
            b"".join(each.public_bytes(Encoding.PEM) for each in authorities),
        )

    return current


class Authority:
    """An authority that gives any identity to whoever asks; makes its key in a folder if there is none.

    Raises `SecurityViolation` when what is there is none.
    """

    def __init__(self, folder: Path, domain: str = DOMAIN):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / AUTHORITY
        data = kept(path, lambda: made(domain))
        try:
            key, self.certificate = load_pem_private_key(data, None), x509.load_pem_x509_certificate(data)
            if not isinstance(key, ec.EllipticCurvePrivateKey):
                raise ValueError("its key is not one of an elliptic curve")
        except ValueError as problem:
            raise SecurityViolation(f"{path} is no authority: {problem}: remove it, and a new one is made") from None
        self.key = key

    def issue(self, id_: str, begins: datetime.datetime | None = None, life: datetime.timedelta = LIFE) -> Svid:
        """Return an identity that is valid from `begins` (now if None) for the time of its life."""
        key, begin = ec.generate_private_key(CURVE), begins or datetime.datetime.now(datetime.UTC)
        usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        leaf = (
            builder(key.public_key(), "", self.certificate.subject, begin, begin + life)
            .add_extension(x509.SubjectAlternativeName([x509.UniformResourceIdentifier(id_)]), True)
            .add_extension(x509.BasicConstraints(False, None), True)
            .add_extension(usage(digital_signature=True), True)
            .add_extension(x509.ExtendedKeyUsage(usages), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False)
            .sign(self.key, hashes.SHA256())
        )
        pem = leaf.public_bytes(Encoding.PEM)
        return svid_of(pem, key_bytes(key), self.certificate.public_bytes(Encoding.PEM))


def made(domain):
    """Return PEM of the key and the certificate of a new authority."""
    key, now, name = ec.generate_private_key(CURVE), datetime.datetime.now(datetime.UTC), f"development of {domain}"
    certificate = (
        builder(key.public_key(), name, named(name), now, now + ROOT_LIFE)
        .add_extension(x509.SubjectAlternativeName([x509.UniformResourceIdentifier(f"spiffe://{domain}")]), False)
        .add_extension(x509.BasicConstraints(True, 0), True)
        .add_extension(usage(key_cert_sign=True, crl_sign=True), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )
    return key_bytes(key) + certificate.public_bytes(Encoding.PEM)


def builder(key, name, issuer, begin, end):
    """Return what all certificates have."""
    return (
        x509.CertificateBuilder()
        .subject_name(named(name) if name else x509.Name([]))
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin - SKEW)
        .not_valid_after(end)
    )


def named(name):
    """Return a name as certificates have it."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def usage(**given):
    """Return what a key may be used for."""
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    names += ("key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{**dict.fromkeys(names, False), **given})


def key_bytes(key):
    """Return a private key as PEM."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
