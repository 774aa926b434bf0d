"""Small agents for tests, as text of WebAssembly."""

from functools import cache

from wasmtime import wat2wasm


@cache
def compiled(text):
    """Return the module of a text."""
    return bytes(wat2wasm(text))


COUNTER = """(module (memory (export "memory") 1) (global $n (mut i32) (i32.const 0))
  (func (export "handle_message") (param i32 i32) (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1))) (i32.store (i32.const 64) (global.get $n)) (global.get $n))
  (func (export "get_response") (param i32 i32) (result i32)
    (i32.store (local.get 0) (global.get $n)) (i32.const 4)))"""
"""Counts the messages that it got, and answers with the count."""

SLEEPER = """(module
  (import "corollary" "recv" (func $recv (result i64)))
  (import "corollary" "sleep" (func $sleep (param i64)))
  (import "corollary" "read" (func $read (param i32 i32 i32) (result i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 0) "sink")
  (func (export "_start") (local $size i32)
    (loop $again
      (local.set $size (i32.wrap_i64 (call $recv)))
      (local.set $size (call $read (i32.const 1024) (i32.const 0) (local.get $size)))
      (call $sleep (i64.const 50000000))
      (drop (call $send (i32.const 0) (i32.const 4) (i32.const 1024) (local.get $size)))
      (br $again))))"""
"""Waits for a message, sleeps 50 ms in the midst of its code, and sends the message on to `sink`."""

NOISY = """(module
  (import "corollary" "now" (func $now (result i64)))
  (import "corollary" "random" (func $random (param i32 i32)))
  (import "corollary" "log" (func $log (param i32 i32)))
  (memory (export "memory") 1) (data (i32.const 0) "a line")
  (func (export "handle_message") (param i32 i32) (result i32)
    (call $log (i32.const 0) (i32.const 6))
    (i64.store (i32.const 64) (call $now)) (call $random (i32.const 72) (i32.const 8)) (i32.const 0))
  (func (export "get_response") (param i32 i32) (result i32)
    (memory.copy (local.get 0) (i32.const 64) (i32.const 16)) (i32.const 16)))"""
"""Answers with the time and 8 random bytes, and logs a line."""

PICKY = """(module (memory (export "memory") 1) (global $n (mut i32) (i32.const 0))
  (func (export "handle_message") (param i32 i32) (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1)))
    (if (i32.eq (i32.load8_u (local.get 0)) (i32.const 33)) (then (unreachable)))
    (if (i32.eq (i32.load8_u (local.get 0)) (i32.const 63)) (then (loop (br 0))))
    (global.get $n))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Counts messages as its status; traps at one that begins with `!`, and never ends at one that begins with `?`."""

FETCHER = """(module
  (import "corollary" "recv" (func $recv (result i64)))
  (import "corollary" "fetch" (func $fetch (param i32 i32) (result i64)))
  (import "corollary" "read" (func $read (param i32 i32 i32) (result i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 17) (data (i32.const 0) "sink")
  (func (export "_start") (local $size i32)
    (loop $again
      (local.set $size (i32.wrap_i64 (call $recv)))
      (drop (call $read (i32.const 1024) (i32.const 0) (local.get $size)))
      (local.set $size (i32.wrap_i64 (call $fetch (i32.const 1024) (local.get $size))))
      (drop (call $read (i32.const 1024) (i32.const 0) (local.get $size)))
      (drop (call $send (i32.const 0) (i32.const 4) (i32.const 1024) (local.get $size)))
      (br $again))))"""
"""Asks the outside for what each message says, and sends what comes back on to `sink`."""

ALARM = """(module
  (import "corollary" "later" (func $later (param i64 i32 i32) (result i64)))
  (import "corollary" "cancel" (func $cancel (param i64) (result i32)))
  (import "corollary" "kind" (func $kind (result i32)))
  (memory (export "memory") 1) (global $timer (mut i64) (i64.const 0)) (global $rang (mut i32) (i32.const 0))
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (if (i32.eq (call $kind) (i32.const 2))
      (then (global.set $rang (i32.add (global.get $rang) (i32.const 1)))))
    (if (i32.and (i32.eq (call $kind) (i32.const 1)) (i32.eq (local.get $size) (i32.const 8)))
      (then (global.set $timer (call $later (i64.load (local.get $at)) (i32.const 0) (i32.const 0)))))
    (if (i32.and (i32.eq (call $kind) (i32.const 1)) (i32.eq (local.get $size) (i32.const 1)))
      (then (drop (call $cancel (global.get $timer)))))
    (global.get $rang))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""8 bytes set a timer, one byte takes it back; its status is how many timers rang."""

ASKER = """(module
  (import "corollary" "ask" (func $ask (param i32 i32 i32 i32) (result i64)))
  (import "corollary" "kind" (func $kind (result i32)))
  (memory (export "memory") 1)
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (if (i32.eq (call $kind) (i32.const 1))
      (then (drop (call $ask (local.get $at) (local.get $size) (i32.const 0) (i32.const 0))))) (i32.const 0))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Asks for an effect of the kind that a message names."""

ENDING = """(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "corollary" "recv" (func $recv (result i64)))
  (import "corollary" "reply" (func $reply (param i32 i32)))
  (memory (export "memory") 1) (data (i32.const 0) "bye")
  (func (export "_start")
    (drop (call $recv)) (call $reply (i32.const 0) (i32.const 3)) (call $exit (i32.const 5))))"""
"""Ends with status 5 at its first message, and says bye."""

RELAY = """(module
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 0) "sink") (global $n (mut i32) (i32.const 0))
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1)))
    (drop (call $send (i32.const 0) (i32.const 4) (local.get $at) (local.get $size))) (global.get $n))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Counts the messages as its status, and sends each on to `sink`."""

FLOOD = """(module
  (import "corollary" "log" (func $log (param i32 i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 0) "sink")
  (func (export "handle_message") (param i32 i32) (result i32) (local $n i32)
    (loop $again
      (call $log (i32.const 0) (i32.const 1000))
      (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 1000))))
    (call $send (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 1)))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Writes a thousand long lines, and then sends a byte to `sink`."""

MARKUP = "<script>document.title='owned'</script>\u202e"
"""What a page must show, and not do."""
SPELLED = MARKUP.replace("\u202e", "\\u{202e}")

HOSTILE = f"""(module
  (import "corollary" "log" (func $log (param i32 i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 256) "{SPELLED}")
  (func $<img/src=x/onerror=document.title='owned'> (param $at i32) (result i32) (local $seen i32)
    (local.set $seen (i32.const 4660))
    (i32.store (i32.const 64) (i32.const 51966))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 33)) (then (unreachable)))
    (local.get $seen))
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (call $log (i32.const 256) (i32.const {len(MARKUP.encode())}))
    (drop (call $send (i32.const 256) (i32.const {len(MARKUP.encode())}) (local.get $at) (local.get $size)))
    (call $<img/src=x/onerror=document.title='owned'> (local.get $at)))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Logs `MARKUP`, sends a message to it, and traps at a message that begins with `!`."""

CALLER = """(module
  (import "corollary" "ask" (func $ask (param i32 i32 i32 i32) (result i64)))
  (import "corollary" "kind" (func $kind (result i32)))
  (memory (export "memory") 1) (data (i32.const 0) "tool")
  (global $n (mut i32) (i32.const 0)) (global $size (mut i32) (i32.const 0))
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (if (i32.and (i32.eq (call $kind) (i32.const 1)) (i32.gt_u (local.get $size) (i32.const 0)))
      (then (drop (call $ask (i32.const 0) (i32.const 4) (local.get $at) (local.get $size)))))
    (if (i32.eq (call $kind) (i32.const 3))
      (then
        (global.set $n (i32.add (global.get $n) (i32.const 1)))
        (global.set $size (local.get $size))
        (memory.copy (i32.const 1024) (local.get $at) (local.get $size))))
    (global.get $n))
  (func (export "get_response") (param $at i32) (param $room i32) (result i32)
    (memory.copy (local.get $at) (i32.const 1024) (global.get $size)) (global.get $size)))"""
"""Calls the tool that a message names; its status is how many results it has, its answer the last one."""


ASKER = """(module
  (import "corollary" "ask" (func $ask (param i32 i32 i32 i32) (result i64)))
  (memory (export "memory") 1)
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (i64.lt_s (call $ask (local.get $at) (local.get $size) (i32.const 0) (i32.const 0)) (i64.const 0)))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Asks the outside for what a message says, with no content; its status is 1 if that was denied."""
