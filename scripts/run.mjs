// node scripts/run.mjs start – runs scripts/start.ts as one bundle, which esbuild builds once and again
// when one of its files has changed. Loading the modules through tsx, as the other commands do,
// takes several times as long.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const name = process.argv[2] ?? "start";
const folder = path.resolve("node_modules/.cache/mini-ecommerce");
const bundle = path.join(folder, `${name}.cjs`);
const record = path.join(folder, `${name}.json`);

/** Changes whenever the file does. */
const mark = (file) => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs}/${stats.size}` : "";
};

function isFresh() {
  try {
    const { digest, marks } = JSON.parse(readFileSync(record, "utf8"));
    if (Object.entries(marks).some(([file, value]) => mark(file) !== value)) return false;
    return digest === createHash("sha256").update(readFileSync(bundle)).digest("hex");
  } catch {
    return false;
  }
}

function make() {
  const { buildSync } = require("esbuild");
  const { metafile, outputFiles } = buildSync({
    entryPoints: [`scripts/${name}.ts`],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["drizzle-orm", "esbuild"],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const [output] = outputFiles;
  const files = [...Object.keys(metafile.inputs), "package-lock.json", "scripts/run.mjs"];
  mkdirSync(folder, { recursive: true });
  writeFileSync(bundle, output.contents);
  writeFileSync(
    record,
    JSON.stringify({
      digest: createHash("sha256").update(output.contents).digest("hex"),
      marks: Object.fromEntries(files.map((file) => [file, mark(file)])),
    }),
  );
}

let isReady = isFresh();
if (!isReady) {
  try {
    make();
    isReady = true;
  } catch (error) {
    // node_modules is read-only: load the modules through tsx.
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}
if (isReady) require(bundle);
else {
  const { register } = await import("tsx/esm/api");
  register();
  await import(`./${name}.ts`);
}
