import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ENV_NAMES } from "@/lib/env";
import { expect, test } from "./fixtures";

// What the build gives to every browser: nothing of the server.

const STATIC = path.resolve(".next/static");

const filesBelow = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Texts that a package's own code holds and that survive a build; see the second test. */
const SERVER_PACKAGES: Readonly<Record<string, string>> = {
  pg: "Connection terminated unexpectedly",
  "drizzle-orm": "drizzle:entityKind",
  ioredis: "enableOfflineQueue",
  pdfkit: "FlateDecode",
  stripe: "Stripe-Version",
  "@node-rs/argon2": "argon2",
  sharp: "libvips",
  pino: "thread-stream",
  jose: "JWSSignatureVerificationFailed",
  "next-auth": "next-auth.session-token",
  "rate-limiter-flexible": "insuranceLimiter",
  resend: "https://api.resend.com",
  otpauth: "otpauth://",
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

test("the texts by which packages are known are theirs", () => {
  for (const [name, marker] of Object.entries(SERVER_PACKAGES)) {
    const sources = filesBelow(path.resolve("node_modules", name), /\.[cm]?js$/);
    const has = sources.some((file) => readFileSync(file, "utf8").includes(marker));
    expect(has, `${name}: ${marker}`).toBe(true);
  }
});
