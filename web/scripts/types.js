// The types of the protocol from its JSON Schema: a file named as the first argument, or standard input.
// They go to the file named as the second argument, or to src/protocol.ts.

import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const [source = "-", target = new URL("../src/protocol.ts", import.meta.url)] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(source === "-" ? 0 : source, "utf8"));

const types = await compile(schema, "Protocol", {
  additionalProperties: false,
  bannerComment: "// Generated from the protocol's JSON Schema by `make types`; do not edit.",
  format: true,
  ignoreMinAndMaxItems: true,
  style: { printWidth: 120 },
  unreachableDefinitions: false,
});
writeFileSync(target, types);
