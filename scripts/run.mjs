// node scripts/run.mjs – bundles scripts/start.ts and runs it: loading its modules through tsx takes
// several times as long.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

let program = path.resolve("node_modules/.cache/mini-ecommerce/start.mjs");
try {
  buildSync({
    entryPoints: ["scripts/start.ts"],
    outfile: program,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
} catch {
  // node_modules is read-only.
  await import("tsx");
  program = path.resolve("scripts/start.ts");
}
await import(pathToFileURL(program).href);
