import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { build, type StdinOptions } from "esbuild";
import { ENV_NAMES } from "@/lib/env-schema";
import { expect, test } from "./fixtures";

// Browser bundles contain no server code. Packages and variables are searched for in the bundles. Bundles
// do not contain file names, so the shop's own files are searched for in the import graph.

const STATIC = path.resolve(".next/static");

const filesBelow = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Strings of a package's own code that survive minification; see the last test. */
const SERVER_PACKAGES: Readonly<Record<string, string>> = {
  postgres: "CONNECTION_DESTROYED",
  "drizzle-orm": "drizzle:entityKind",
  ioredis: "enableOfflineQueue",
  "@react-pdf/renderer": "string child outside <Text> component",
  stripe: "Stripe-Version",
  "@node-rs/argon2": "argon2",
  sharp: "libvips",
  pino: "thread-stream",
  jose: "JWSSignatureVerificationFailed",
  "next-auth": "next-auth.session-token",
  "rate-limiter-flexible": "insuranceLimiter",
  resend: "https://api.resend.com",
  otplib: "otpauth://",
  qrcode: "too big to be stored in a QR Code",
  aws4fetch: "AWS4-HMAC-SHA256",
};

test("no browser bundle holds a package, a variable or a source of the server", () => {
  const bundles = filesBelow(STATIC, /\.(?:js|css)$/);
  expect(bundles.length).toBeGreaterThan(20);
  const names = ENV_NAMES.filter((name) => name.includes("_") && name !== "NODE_ENV");
  const found = bundles.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...Object.values(SERVER_PACKAGES), ...names]
      .filter((marker) => text.includes(marker))
      .map((marker) => `${path.relative(STATIC, file)}: ${marker}`);
  });
  expect(found).toEqual([]);
  expect(filesBelow(STATIC, /\.map$/)).toEqual([]);
});

/** Files that only the server may import (README, docs/decisions). */
const SERVER_FILE = /^db\/|\/(?:queries|mutations|admin)\.ts$/;

const isServerPackage = (name: string) =>
  isBuiltin(name) || Object.keys(SERVER_PACKAGES).some((it) => `${name}/`.startsWith(`${it}/`));

/**
 * The server code that these modules import, directly or indirectly: files of the shop, packages and
 * modules of Node.js. Unused imports count only if they have side effects, as in the build.
 */
async function serverCodeOf(entries: { entryPoints?: string[]; stdin?: StdinOptions }) {
  const { metafile } = await build({
    ...entries,
    bundle: true,
    packages: "external",
    platform: "browser",
    format: "esm",
    jsx: "automatic",
    metafile: true,
    write: false,
    outdir: "out",
    logLevel: "error",
  });
  return Object.values(metafile.outputs)
    .flatMap(({ inputs, imports }) => [
      ...Object.keys(inputs).filter(
        (file) => SERVER_FILE.test(file) && (inputs[file]?.bytesInOutput ?? 0) > 0,
      ),
      ...imports.map(({ path: name }) => name).filter(isServerPackage),
    ])
    .toSorted();
}

test("no client module imports a server module", async () => {
  const entryPoints = ["app", "components", "lib"]
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .filter((file) => readFileSync(file, "utf8").startsWith('"use client"'));
  expect(entryPoints.length).toBeGreaterThan(50);
  expect(await serverCodeOf({ entryPoints })).toEqual([]);
  // Check that a deep import is found.
  const contents = 'import { logIn } from "@/lib/auth/login"; console.log(logIn);';
  const found = await serverCodeOf({ stdin: { contents, resolveDir: ".", loader: "ts" } });
  expect(found).toEqual(
    expect.arrayContaining(["db/index.ts", "lib/auth/queries.ts", "node:crypto", "postgres"]),
  );
});

test("every package of the server contains the string that identifies it", () => {
  for (const [name, marker] of Object.entries(SERVER_PACKAGES)) {
    const sources = filesBelow(path.resolve("node_modules", name), /\.[cm]?js$/);
    const has = sources.some((file) => readFileSync(file, "utf8").includes(marker));
    expect(has, `${name}: ${marker}`).toBe(true);
  }
});
