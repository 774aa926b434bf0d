"""How does an agent publish a composite? It asks for `publish`; that waits in the outbox until the registry took it.

The registry may get it twice, when the process ends in the midst of it, and keeps it once: its hash is its key.
"""

from corollary.runtime.acquisition import Away, Registry, Unresolved
from corollary.runtime.composite import composite_of
from corollary.runtime.identity import SecurityViolation
from corollary.runtime.outside import Refusal, asked, encoded
from corollary.runtime.runtime import Perform
from corollary.runtime.store import Agent, Effect
from corollary.runtime.warden import Later


def publisher(registry: Registry | None) -> Perform:
    """Return who carries out effects of the kind `publish`.

    The result has `urn` and `composite`, its SHA-256 in hexadecimal, or else `error`.
    """

    async def publish(agent: Agent, effect: Effect) -> bytes:
        try:
            if not agent.rules.publish:
                raise Refusal("the rules do not allow to publish")
            composite = composite_of(asked(effect.body))
            if registry is None:
                raise ValueError("there is no registry: start the runtime with --registry URL")
            await registry.announce(composite)
            return encoded({"urn": str(composite.urn), "composite": composite.digest})
        except Away as problem:
            raise Later(str(problem)) from None
        except SecurityViolation as problem:
            return encoded({"error": f"SecurityViolation: {problem}"})
        except (Refusal, Unresolved, ValueError) as problem:
            return encoded({"error": str(problem)})

    return publish
