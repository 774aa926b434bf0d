// Makes a component of a script for a world: `node build.mjs SCRIPT WIT WORLD TO`.
import { readFile, writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { componentize } from "@bytecodealliance/componentize-js";

const [script, witPath, worldName, to] = argv.slice(2);
const { component } = await componentize(await readFile(script, "utf8"), { witPath, worldName });
await writeFile(to, component);
