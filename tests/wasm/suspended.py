"""Which programs do tests interrupt? One for each part of the state; `run` takes a number of rounds."""

from wasmtime import wat2wasm

from corollary import Module

RECURSION = """
  (func $fib (export "run") (param i32) (result i32)
    (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0))
      (else (i32.add
        (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))))"""
LOOPS = """
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $again
      (block $two (block $one (block $zero (br_table $zero $one $two (i32.rem_u (local.get $n) (i32.const 3))))
          (local.set $sum (i32.add (local.get $sum) (i32.const 5))))
        (local.set $i (i32.const 3))
        (loop $inner (local.set $sum (i32.mul (local.get $sum) (i32.const 3)))
          (br_if $inner (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
      (local.set $sum (i32.xor (local.get $sum) (local.get $n)))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $sum))"""
INDIRECT = """
  (type $step (func (param i32) (result i32)))
  (table $t 3 funcref) (elem (i32.const 0) $twice $more) (elem declare func $less)
  (func $twice (type $step) (i32.mul (local.get 0) (i32.const 2)))
  (func $more (type $step) (i32.add (local.get 0) (i32.const 1)))
  (func $less (type $step) (i32.sub (call $more (local.get 0)) (i32.const 3)))
  (func (export "run") (param $n i32) (result i32) (local $x i32)
    (table.set $t (i32.const 2) (ref.func $less))
    (loop $again
      (local.set $x (call_indirect $t (type $step) (local.get $x) (i32.rem_u (local.get $n) (i32.const 3))))
      (if (i32.eq (local.get $n) (i32.const 9)) (then (table.set $t (i32.const 0) (table.get $t (i32.const 1)))))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $x))"""
MANY = """
  (func $next (param i64 i64) (result i64 i64) (local.get 1) (i64.add (local.get 0) (local.get 1)))
  (func (export "run") (param $n i32) (result i64 i64 f64)
    (i64.const 0) (i64.const 1)
    (loop $again (param i64 i64) (result i64 i64)
      (call $next)
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (f64.convert_i32_s (local.get $n)))"""
GLOBALS = """
  (global $i (mut i32) (i32.const 1)) (global $l (mut i64) (i64.const 2))
  (global $d (mut f64) (f64.const 0.5)) (global $fixed i32 (i32.const 7))
  (global $f (mut funcref) (ref.null func)) (elem declare func $work)
  (func $work (param i32) (global.set $i (i32.rotl (global.get $i) (local.get 0))) (global.set $f (ref.func $work)))
  (func (export "run") (param $n i32) (result i32 i64 f64)
    (loop $again
      (call $work (global.get $fixed))
      (global.set $l (i64.mul (global.get $l) (i64.const 6364136223846793005)))
      (global.set $d (f64.div (global.get $d) (f64.const 3)))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (global.get $i) (global.get $l) (global.get $d))"""
TABLES = """
  (table $t 2 1000 funcref) (table $other 4 externref) (elem $e func $one $two)
  (func $one (result i32) (i32.const 1)) (func $two (result i32) (i32.add (call $one) (call $one)))
  (func (export "run") (param $n i32) (result i32) (local $sum i32)
    (table.init $t $e (i32.const 0) (i32.const 0) (i32.const 2)) (elem.drop $e)
    (loop $again
      (drop (table.grow $t (ref.func $two) (i32.const 1)))
      (table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 2))
      (table.fill $t (i32.rem_u (local.get $n) (i32.const 2)) (ref.func $two) (i32.const 1))
      (local.set $sum (i32.add (local.get $sum)
        (call_indirect $t (result i32) (i32.rem_u (local.get $n) (table.size $t)))))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.add (local.get $sum) (table.grow $other (ref.null extern) (i32.const 3))))"""
MEMORY = """
  (memory (export "memory") 1 4) (data $d "to be copied")
  (func $put (param $at i32) (i32.store8 (local.get $at) (i32.add (i32.load8_u (local.get $at)) (local.get $at))))
  (func (export "run") (param $n i32) (result i32)
    (memory.init $d (i32.const 8) (i32.const 0) (i32.const 12)) (data.drop $d)
    (loop $again
      (call $put (local.get $n))
      (if (i32.eq (local.get $n) (i32.const 20)) (then (drop (memory.grow (i32.const 1)))
        (memory.fill (i32.const 65530) (i32.const 77) (i32.const 12))))
      (memory.copy (i32.add (local.get $n) (i32.const 1)) (local.get $n) (i32.const 30))
      (br_if $again (i32.ne (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))
    (i32.add (memory.size) (i32.load (i32.const 65532))))"""
HOST = """
  (type $asked (func (param i32 f32) (result i64)))
  (import "env" "ask" (func $ask (type $asked))) (import "env" "other" (func (param i64)))
  (table funcref (elem $ask)) (func $own (type $asked) (i64.const 0))
  (func $inner (param $n i32) (result i64) (call $ask (local.get $n) (f32.const 1.5)))
  (func (export "run") (param $n i32) (result i64) (local $sum i64)
    (loop $again
      (local.set $sum (i64.add (local.get $sum) (call $inner (local.get $n))))
      (local.set $sum (i64.sub (local.get $sum)
        (call_indirect (type $asked) (i32.const 1) (f32.const 2.5) (i32.const 0))))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $sum))"""
SOURCES = {
    "recursion": (RECURSION, 8),
    "loops": (LOOPS, 30),
    "call_indirect": (INDIRECT, 40),
    "multi-value": (MANY, 40),
    "globals": (GLOBALS, 40),
    "tables": (TABLES, 40),
    "memory": (MEMORY, 40),
    "host calls": (HOST, 20),
}
ROUNDS = {name: rounds for name, (_, rounds) in SOURCES.items()}
BINARIES = {name: bytes(wat2wasm(f"(module {text})")) for name, (text, _) in SOURCES.items()}
MODULES = {name: Module(binary) for name, binary in BINARIES.items()}
KEY = bytes(range(32))


def ask(number, factor):
    """Return the host's answer."""
    return int(number * factor * 1000)
