"""Who is this workload, and with whom does it talk? SPIFFE identities: X.509-SVIDs that both ends of a connection show.

A policy says which place is a sink that takes data at a level, as which identity it must show itself, and which
identity has which clearance. What does not fit is a `SecurityViolation` before a byte of a request leaves.
"""

import datetime
import json
import re
import ssl
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from yarl import URL

from corollary.language.types import Enum
from corollary.problem import Problem

CHAIN, KEY, BUNDLE = "svid.pem", "svid_key.pem", "svid_bundle.pem"  # as the helper of SPIRE names them
ID = re.compile(r"spiffe://([a-z0-9._-]{1,255})((?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._-]+)*)", re.ASCII)
LONGEST_ID = 2048  # bytes
TLS = ("https", "wss", "tls")


class SecurityViolation(Problem):
    """An identity is missing, is not valid, or is not the right one; the message says whose. Nothing was sent."""


class Clearance(Enum):
    """How confidential is what an identity may handle?"""

    PUBLIC = 0  # what everybody may know
    INTERNAL = 1  # what those within may know
    CONFIDENTIAL = 2  # what those may know who need it
    SECRET = 3  # what as few as possible may know


@dataclass(frozen=True)
class Svid:
    """An identity that a workload can prove: its SPIFFE ID, and PEM of its certificates, its key and its authorities.

    It is valid from `begins` to `ends`.
    """

    id: str
    chain: bytes
    key: bytes = field(repr=False)
    bundle: bytes
    begins: datetime.datetime
    ends: datetime.datetime


@dataclass(frozen=True)
class Sink:
    """A place that takes data: the SPIFFE ID that it shows, and the clearance that whoever sends must have."""

    id: str
    level: Clearance


@dataclass(frozen=True)
class Policy:
    """Which identity has which clearance, and which place (`host:port`) is a sink. Others have none, and are none."""

    clearances: Mapping[str, Clearance] = field(default_factory=dict)
    sinks: Mapping[str, Sink] = field(default_factory=dict)

    def check(self, id_: str, level: Clearance, what: str) -> None:
        """Raise `SecurityViolation` unless an identity has the clearance for something."""
        found = self.clearances.get(id_)
        if found is None or found < level:
            has = "none" if found is None else found.name
            raise SecurityViolation(f"{what} needs clearance {level.name}, and {id_} has {has}")


class Passport:
    """The identity of this workload, which `source` returns anew each time, and the policy that it obeys."""

    def __init__(self, source: Callable[[], Svid], policy: Policy):
        self.source, self.policy = source, policy

    def context(self, url: URL) -> ssl.SSLContext | None:
        """Return the TLS context for an address that is a sink, and None for any other; raises `SecurityViolation`."""
        place = place_at(url)
        sink = self.policy.sinks.get(place)
        if sink is None:
            return None
        if url.scheme not in TLS:
            raise SecurityViolation(f"{place} is a sink, which is reached with {' or '.join(TLS)} only")
        svid = self.source()
        check_valid(svid)
        self.policy.check(svid.id, sink.level, place)
        return client_context(svid, sink.id)


def place_at(url: URL, port: int | None = None) -> str:
    """Return the place at an address as `host:port`, with `port` if it names none."""
    host = (url.host or "").rstrip(".")  # a name with a dot at its end is the same name
    return plain(f"[{host}]:{url.port or port}" if ":" in host else f"{host}:{url.port or port}")


def plain(place: str) -> str:
    """Return `host:port` as it is compared: in small letters, without a dot at the end of a name."""
    return place.lower().replace(".:", ":")


# ---- certificates


def svid_of(chain: bytes, key: bytes, bundle: bytes) -> Svid:
    """Return the identity that PEM of certificates, key and authorities make; raises `SecurityViolation`."""
    try:
        leaf, private = x509.load_pem_x509_certificates(chain)[0], load_pem_private_key(key, None)
        x509.load_pem_x509_certificates(bundle)
    except (ValueError, TypeError) as problem:
        raise SecurityViolation(f"an identity cannot be read: {problem}") from None
    own, named = (each.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) for each in keys(private, leaf))
    if own != named:
        raise SecurityViolation("the key of an identity is not that of its certificate")
    return Svid(id_of(leaf), chain, key, bundle, leaf.not_valid_before_utc, leaf.not_valid_after_utc)


def keys(private, leaf):
    """Return the public keys of a private one and of a certificate."""
    return private.public_key(), leaf.public_key()


def id_of(certificate: x509.Certificate) -> str:
    """Return the SPIFFE ID of a certificate, which has exactly one and is no authority; raises `SecurityViolation`."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        found = names.get_values_for_type(x509.UniformResourceIdentifier)
        is_authority = any(
            each.value.ca for each in certificate.extensions if isinstance(each.value, x509.BasicConstraints)
        )
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError) as problem:
        raise SecurityViolation(f"a certificate names no workload: {problem}") from None
    if len(found) != 1 or is_authority:
        raise SecurityViolation(f"a certificate is that of one workload, not of {', '.join(found) or 'none'}")
    return checked_id(found[0])


def checked_id(text: str) -> str:
    """Return a SPIFFE ID; raises `SecurityViolation` when it is none."""
    if len(text) > LONGEST_ID or not ID.fullmatch(text):
        raise SecurityViolation(f"{text[:LONGEST_ID]!r} is no SPIFFE ID: it is spiffe://DOMAIN/PATH")
    return text


def check_valid(svid: Svid) -> None:
    """Raise `SecurityViolation` unless an identity is valid now."""
    now = datetime.datetime.now(datetime.UTC)
    if not svid.begins <= now < svid.ends:
        raise SecurityViolation(f"{svid.id} is valid from {svid.begins} to {svid.ends}: renew it")


# ---- TLS


def client_context(svid: Svid, peer: str) -> ssl.SSLContext:
    """Return a context that shows an identity, and whose handshake fails unless the server shows another one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False  # a workload is known by its SPIFFE ID, wherever it runs
    return showing(context, svid, lambda id_: id_ == peer, peer)


def server_context(svid: Svid) -> ssl.SSLContext:
    """Return a context that shows an identity, and whose handshake fails for whoever shows none of the same domain."""
    domain = domain_of(svid.id)
    return showing(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), svid, lambda id_: domain_of(id_) == domain, domain)


def showing(context, svid, accepts, wanted):
    """Return a context that shows an identity, and checks the one of the other end within the handshake."""
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.sslobject_class = checking(accepts, wanted)
    show(context, svid)
    return context


def show(context: ssl.SSLContext, svid: Svid) -> None:
    """Let a context show an identity from now on, as when it was renewed; raises `SecurityViolation`."""
    check_valid(svid)
    try:
        context.load_verify_locations(cadata=svid.bundle.decode())
        with tempfile.NamedTemporaryFile() as file:  # `ssl` takes files only; this one is its owner's alone
            file.write(svid.chain + b"\n" + svid.key)
            file.flush()
            context.load_cert_chain(file.name)
    except (ssl.SSLError, ValueError) as problem:
        raise SecurityViolation(f"the identity {svid.id} cannot be used: {problem}") from None


def checking(accepts, wanted):
    """Return the class of a connection whose handshake fails unless the SPIFFE ID of the other end is accepted."""

    class Checked(ssl.SSLObject):
        def do_handshake(self):
            super().do_handshake()
            try:
                shown = id_of(x509.load_der_x509_certificate(self.getpeercert(True) or b""))
            except (SecurityViolation, ValueError) as problem:
                raise ssl.SSLCertVerificationError(f"the other end is not {wanted}: {problem}") from None
            if not accepts(shown):
                raise ssl.SSLCertVerificationError(f"the other end is not {wanted}, it is {shown}")

    return Checked


def shown_id(transport) -> str:
    """Return the SPIFFE ID that the other end of a connection showed; raises `SecurityViolation`."""
    connection = transport and transport.get_extra_info("ssl_object")
    if connection is None:
        raise SecurityViolation("the other end showed no identity")
    return id_of(x509.load_der_x509_certificate(connection.getpeercert(True)))


def domain_of(id_):
    """Return the trust domain of a SPIFFE ID."""
    return id_.split("/")[2]


# ---- where they come from


def from_files(folder: Path) -> Svid:
    """Return the identity in a folder, as the helper of SPIRE writes it; raises `SecurityViolation`."""
    try:
        return svid_of(*((folder / name).read_bytes() for name in (CHAIN, KEY, BUNDLE)))
    except OSError as problem:
        raise SecurityViolation(f"{folder} has no identity: {problem.strerror}: {problem.filename}") from None


def policy_in(path: Path) -> Policy:
    """Return the policy in a JSON file; raises `SecurityViolation`.

    {"clearances": {SPIFFE ID: LEVEL}, "sinks": {"host:port": {"id": SPIFFE ID, "level": LEVEL}}}
    """
    try:
        given = json.loads(path.read_bytes())
        clearances, sinks = given.pop("clearances", {}), given.pop("sinks", {})
        if given:
            raise ValueError(f"it has {', '.join(given)}, and only `clearances` and `sinks` mean something")
        return Policy(
            {checked_id(id_): Clearance[level] for id_, level in clearances.items()},
            {plain(place): Sink(checked_id(each["id"]), Clearance[each["level"]]) for place, each in sinks.items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, SecurityViolation) as problem:
        raise SecurityViolation(f"{path} is no policy: {problem}: levels are {', '.join(Clearance.members)}") from None
