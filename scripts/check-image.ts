import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { demoAdmin } from "@/db/seed/people";
import { compareServers } from "@/e2e/answers";
import { freePort } from "@/sandbox/ports";
import { startTemporaryPostgres } from "@/sandbox/postgres";
import { waitUntil } from "@/sandbox/processes";
import { ROOT, runCommand } from "@/scripts/command";
import { Services } from "@/scripts/services";

// npm run check:image – lints Dockerfile and compose.yaml, then runs the Dockerfile's steps without
// Docker: copies the sources that .dockerignore leaves, builds, and runs the commands and the server
// on the image's files alone, under an account that may write only where the image's may.

const readText = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** The arguments of the Dockerfile's last instruction of that name. */
function instruction(name: string): string {
  const lines = readText("Dockerfile").replaceAll(/\\\n\s*/g, "");
  const found = lines.split("\n").findLast((line) => line.startsWith(`${name} `));
  assert(found, `The Dockerfile has no ${name}.`);
  return found.slice(name.length + 1);
}

export const imageCommand = () => JSON.parse(instruction("CMD")) as string[];

export function imageEnv(): Record<string, string> {
  const pairs = instruction("ENV").split(/\s+/);
  return Object.fromEntries(pairs.map((pair) => pair.split("=")));
}

/** @throws with a linter's output if it rejects one of the two files */
export function lintImageFiles(): void {
  const lint = (program: string, ...args: string[]) =>
    execFileSync(path.join(ROOT, "node_modules/.bin", program), args, { cwd: ROOT, stdio: "pipe" });
  lint("dockerfile-utils", "lint", "Dockerfile");
  lint("dclint", "--quiet", "compose.yaml");
}

/** Instead of the image's account `node`: nobody, if root runs this. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Builds the folder that the image consists of, from what `COPY . .` takes. */
function buildFolder({ context, shop }: { context: string; shop: string }): void {
  // Every line of .dockerignore is the name of an entry of the top folder.
  const ignored = readText(".dockerignore")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => new RegExp(`^${line.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`));
  const isCopied = (from: string) => !ignored.some((name) => name.test(path.relative(ROOT, from)));
  cpSync(ROOT, context, { recursive: true, filter: isCopied });
  // Instead of `npm ci`: the packages that are installed here.
  execFileSync("cp", ["-a", "node_modules", context], { cwd: ROOT });
  execFileSync("npm", ["run", "build:standalone"], { cwd: context, stdio: "inherit" });
  renameSync(path.join(context, ".next/shop"), shop);
  rmSync(context, { recursive: true });
  for (const name of [".data", ".next/cache"]) {
    mkdirSync(path.join(shop, name), { mode: 0o750 });
    if (ACCOUNT) chownSync(path.join(shop, name), ACCOUNT.uid, ACCOUNT.gid);
  }
  const [size] = execFileSync("du", ["-sm", shop], { encoding: "utf8" }).split("\t");
  console.log(`The image's own files: ${size} MB.`);
}

/** Uploads a picture, for which the server needs one of the folders that it may write to. */
async function checkUpload(origin: string): Promise<void> {
  const post = async (route: string, init: RequestInit) => {
    const response = await fetch(`${origin}/api/${route}`, { method: "POST", ...init });
    assert(response.ok, `POST /api/${route}: ${response.status}`);
    return (await response.json()) as Record<string, string>;
  };
  const { token } = await post("login_check", {
    body: JSON.stringify({ username: demoAdmin.email, password: demoAdmin.password }),
    headers: { "Content-Type": "application/json" },
  });
  const body = new FormData();
  const file = readFileSync(path.join(ROOT, "docs/home.webp"));
  body.set("file", new Blob([file], { type: "image/webp" }), "home.webp");
  const { url } = await post("upload", { body, headers: { Authorization: `Bearer ${token}` } });
  assert((await fetch(origin + url)).ok, `${url} is not served.`);
}

async function check(): Promise<number> {
  lintImageFiles();
  console.log("Dockerfile and compose.yaml are well-formed.");
  const services = new Services(130);
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-image-"));
  await services.start(() => ({ stop: async () => rmSync(folder, { recursive: true }) }));
  chmodSync(folder, 0o755);
  const shop = path.join(folder, "shop");
  buildFolder({ context: path.join(folder, "build"), shop });

  const postgres = await services.start(startTemporaryPostgres);
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const run = (args: readonly string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, args, {
      cwd: shop,
      stdio: ["ignore", "inherit", "inherit"],
      ...ACCOUNT,
      env: {
        PATH: process.env.PATH,
        HOME: "/nonexistent",
        ...imageEnv(),
        NODE_ENV: "production",
        HOSTNAME: "127.0.0.1",
        DATABASE_URL: postgres.url,
        AUTH_SECRET: "a-secret-of-the-check-that-signs-sessions",
        SITE_URL: origin,
        RATE_LIMIT_SCALE: "1000",
        ...env,
      },
    });
  const start = async (args: readonly string[], env: { PORT: string; HOSTNAME?: string }) => {
    const server = run(args, env);
    await services.start(() => ({ stop: async () => void server.kill("SIGKILL") }));
    const isUp = () =>
      fetch(`http://127.0.0.1:${env.PORT}/contact`).then(
        ({ ok }) => ok,
        () => server.exitCode !== null,
      );
    assert(await waitUntil({ condition: isUp, timeoutMs: 60_000 }), `${args} does not answer.`);
    return server;
  };
  const admin = ["--email", "chef@exemple.fr", "--password", "Chef-2026!"];
  const commands = [["db-migrate"], ["db-seed"], ["admin-create", ...admin], ["links-void"]];
  for (const [name, ...args] of commands) {
    const [code] = await once(run([`commands/${name}.cjs`, ...args]), "exit");
    assert.equal(code, 0, name);
  }

  const [, ...program] = imageCommand();
  const server = await start(program, { PORT: port });
  const ended = once(server, "exit");
  await checkUpload(origin);
  // Next.js's own server in the same folder. It takes the host that it listens on for the shop's.
  const other = String(await freePort());
  await start(["server.js"], { PORT: other, HOSTNAME: "localhost" });
  const servers = { "server.mjs": origin, "server.js": `http://127.0.0.1:${other}` };
  assert.deepEqual(await compareServers(servers, origin), [], "both answer alike");
  server.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null], "SIGTERM ends it in order");
  console.log("All of the image's steps work.");
  return services.shutDown(0);
}

if (path.basename(process.argv[1] ?? "") === "check-image.ts") void runCommand(check);
