// An agent that counts words over all its messages, and passes each message on to `sink`.
import { log, remember, remembered, send } from "corollary:agent/host@1.0.0";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const handler = {
  handle({ kind, about, body }) {
    if (kind !== "message") return encoder.encode(kind);
    const state = remembered();
    const counts = new Map(state.length ? JSON.parse(decoder.decode(state)) : []);
    const text = decoder.decode(body);
    if (text === "") throw "nothing was said";
    for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
    remember(encoder.encode(JSON.stringify([...counts])));
    log(`${about}: ${text}`);
    send("sink", body);
    return encoder.encode(JSON.stringify(Object.fromEntries([...counts].sort())));
  },
};
