"""A chat service on loopback that speaks the protocol of Discord's gateway, as far as a bot needs it.

It counts logins and resumptions, sends messages, and notes the replies; a reply that comes twice with the same
`Idempotency-Key` counts once.
"""

import asyncio
import json
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import WSMsgType, web

BOT, GUILD, CHANNEL, AUTHOR = "100", "200", "300", "400"
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACKNOWLEDGED = 0, 1, 2, 6, 7, 9, 10, 11
INTERVAL = 2000  # ms between two heartbeats
SESSION = "the session"


class Gateway:
    """The state of the service: `replies` maps the number of a message to the replies that came."""

    def __init__(self):
        self.identified = self.resumed = self.heartbeats = 0
        self.sent: list[dict] = []  # all that was dispatched, in order
        self.replies: dict[str, list[str]] = {}
        self.keys: set[str] = set()
        self.connection: web.WebSocketResponse | None = None
        self.url, self.numbers = "", count(1000)
        self.came = asyncio.Event()

    # ---- REST

    async def address(self, request):
        """Say where the gateway is."""
        limits = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return web.json_response({"url": f"ws{self.url[4:]}/gateway", "shards": 1, "session_start_limit": limits})

    async def reply(self, request):
        """Take a message of the bot."""
        told, key = await request.json(), request.headers["Idempotency-Key"]
        if key not in self.keys:
            self.keys.add(key)
            to = told.get("message_reference", {}).get("message_id", "")
            self.replies.setdefault(to, []).append(told["content"])
            self.came.set()
        made = message(str(next(self.numbers)), told["content"], user(BOT, "bot", True))
        return web.json_response(made)

    # ---- gateway

    async def gateway(self, request):
        """Serve one connection."""
        connection = web.WebSocketResponse()
        await connection.prepare(request)
        await connection.send_json({"op": HELLO, "d": {"heartbeat_interval": INTERVAL}})
        async for frame in connection:
            if frame.type is WSMsgType.TEXT:
                await self.answer(connection, json.loads(frame.data))
        if self.connection is connection:
            self.connection = None
        return connection

    async def answer(self, connection, told):
        """Answer what the bot says."""
        if told["op"] == HEARTBEAT:
            self.heartbeats += 1
            await connection.send_json({"op": ACKNOWLEDGED})
        elif told["op"] == IDENTIFY:
            self.identified += 1
            self.connection = connection
            await self.dispatch("READY", ready(self.url))
            await self.dispatch("GUILD_CREATE", guild())
        elif told["op"] == RESUME:
            assert told["d"]["session_id"] == SESSION
            self.resumed += 1
            self.connection = connection
            for missed in self.sent[told["d"]["seq"] :]:
                await connection.send_json(missed)
            await self.dispatch("RESUMED", {})

    async def dispatch(self, kind, about):
        """Tell the bot something, now or when it resumes."""
        self.sent.append({"op": DISPATCH, "t": kind, "s": len(self.sent) + 1, "d": about})
        if self.connection is not None and not self.connection.closed:
            try:
                await self.connection.send_json(self.sent[-1])
            except ConnectionError:
                self.connection = None

    async def say(self, text):
        """Send a message of a user; returns its number."""
        number = str(next(self.numbers))
        await self.dispatch("MESSAGE_CREATE", {**message(number, text, user(AUTHOR, "somebody")), "guild_id": GUILD})
        return number

    async def until_replied(self, number, seconds):
        """Wait for a reply to a message."""
        async with asyncio.timeout(seconds):
            while number not in self.replies:
                self.came.clear()
                await self.came.wait()


def user(id_, name, bot=False):
    """Return a user."""
    return {"id": id_, "username": name, "discriminator": "0", "avatar": None, "global_name": name, "bot": bot}


def message(id_, text, author):
    """Return a message."""
    return {
        "id": id_,
        "channel_id": CHANNEL,
        "author": author,
        "content": text,
        "timestamp": "2026-01-01T00:00:00.000000+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
    }


def ready(url):
    """Return what a bot is told after its login."""
    return {
        "v": 10,
        "user": user(BOT, "bot", True),
        "guilds": [{"id": GUILD, "unavailable": True}],
        "session_id": SESSION,
        "resume_gateway_url": f"ws{url[4:]}/gateway",
        "application": {"id": BOT, "flags": 0},
    }


def guild():
    """Return a guild with one channel."""
    everything = str((1 << 50) - 1)
    role = {"id": GUILD, "name": "@everyone", "permissions": everything, "position": 0, "color": 0, "hoist": False}
    role |= {"managed": False, "mentionable": False, "flags": 0, "colors": {"primary_color": 0}}
    member = {"user": user(BOT, "bot", True), "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "flags": 0}
    channel = {"id": CHANNEL, "type": 0, "name": "talk", "position": 0, "permission_overwrites": [], "guild_id": GUILD}
    return {
        "id": GUILD,
        "name": "guild",
        "owner_id": AUTHOR,
        "roles": [role],
        "emojis": [],
        "features": [],
        "stickers": [],
        "member_count": 2,
        "members": [member],
        "channels": [channel],
        "threads": [],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "large": False,
        "unavailable": False,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
    }


@asynccontextmanager
async def serving():
    """Serve on loopback; yields the `Gateway`."""
    service = Gateway()
    app = web.Application()
    app.add_routes(
        [
            web.get("/api/v10/gateway/bot", service.address),
            web.post(f"/api/v10/channels/{CHANNEL}/messages", service.reply),
            web.get("/gateway", service.gateway),
            web.get("/gateway/", service.gateway),
        ]
    )
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    service.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield service
    finally:
        await runner.cleanup()
