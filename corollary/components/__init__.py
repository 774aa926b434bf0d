"""How do components of WebAssembly run, and what do they get from the host?"""
