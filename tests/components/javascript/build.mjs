// Makes a component of script.js: `node build.mjs TO`.
import { readFile, writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { componentize } from "@bytecodealliance/componentize-js";

const source = await readFile("script.js", "utf8");
const { component } = await componentize(source, { witPath: "world.wit", worldName: "script" });
await writeFile(argv[2], component);
