"""How do agents live for days, and outlive the process that runs them? Each event is one transaction of a store."""
