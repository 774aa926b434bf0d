"""Where does everything lie? Apart, because who only runs programs needs no more of code generation than this."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "codegen" / "templates"
GENERATED = ROOT / "generated"
