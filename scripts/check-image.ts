import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { demoAdmin } from "@/db/seed/people";
import { freePort } from "@/sandbox/ports";
import { startTemporaryPostgres } from "@/sandbox/postgres";
import { ROOT, runCommand } from "@/scripts/command";
import { imageCommand, imageEnv, lintImageFiles } from "@/scripts/image-files";
import { Services } from "@/scripts/services";

// npm run check:image – lints Dockerfile and compose.yaml, then runs the Dockerfile's steps without
// Docker: copies the sources that .dockerignore leaves, builds, and runs the commands and the server
// on the image's files alone, under an account that may write only where the image's may.

/** Stands for the image's account `node`: nobody, where this is run by root. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** What `COPY . .` takes: all entries of .dockerignore are names in the top folder. */
function copyContext(target: string): void {
  const ignored = readFileSync(path.join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => new RegExp(`^${line.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/|$)`));
  cpSync(ROOT, target, {
    recursive: true,
    filter: (from) => !ignored.some((name) => name.test(path.relative(ROOT, from))),
  });
}

/** Stands for `npm ci`: hard links to the packages that are installed here. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.name === ".cache") continue;
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else linkFile(source, target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    copyFileSync(from, to);
  }
}

function megabytes(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    bytes += lstatSync(path.join(folder, name)).size;
  return Math.round(bytes / 1e6);
}

function runInImage(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): ChildProcess {
  return spawn(process.execPath, args, {
    cwd,
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOME: "/nonexistent", ...env },
    stdio: ["ignore", "inherit", "inherit"],
    ...ACCOUNT,
  });
}

async function runToEnd(args: readonly string[], env: Record<string, string>, cwd: string) {
  const [code] = await once(runInImage(args, env, cwd), "exit");
  assert.equal(code, 0, args.join(" "));
}

async function expectAnswer(
  url: string,
  { status = 200, ...init }: RequestInit & { status?: number } = {},
): Promise<Response> {
  const response = await fetch(url, init);
  const about = `${init.method ?? "GET"} ${url}`;
  assert.equal(response.status, status, `${about} answered ${response.status}`);
  console.log(`  ${about}: ${response.status} ${response.headers.get("content-type") ?? ""}`);
  return response;
}

/** Pages, pictures, writes and documents: everything that needs a file of the image. */
async function checkServer(origin: string): Promise<void> {
  const home = await (await expectAnswer(`${origin}/`)).text();
  const script = /\/_next\/static\/[^"]+\.js/.exec(home)?.[0];
  const picture = /\/_next\/image\?url=[^"&]+&(?:amp;)?w=\d+&(?:amp;)?q=\d+/.exec(home)?.[0];
  assert(script && picture, "the home page names a script and a picture");
  await expectAnswer(origin + script);
  await expectAnswer(origin + picture.replaceAll("&amp;", "&"));
  for (const path of [
    "/products?page=2",
    "/product/1",
    "/sitemap.xml",
    "/api/docs.json",
    "/api/ready",
    "/og/site",
  ])
    await expectAnswer(origin + path);
  const missing = await expectAnswer(`${origin}/product/999999`, { status: 404 });
  assert.match(await missing.text(), /Page introuvable|n.existe pas/i);

  const credentials = { username: demoAdmin.email, password: demoAdmin.password };
  const login = await expectAnswer(`${origin}/api/login_check`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { token } = (await login.json()) as { token: string };
  const Authorization = `Bearer ${token}`;
  const tag = await expectAnswer(`${origin}/api/tags`, {
    method: "POST",
    headers: { Authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Image", color: "#123456" }),
    status: 201,
  });
  assert.equal(((await tag.json()) as { name: string }).name, "Image");

  const form = new FormData();
  const file = readFileSync(path.join(ROOT, "docs/home.webp"));
  form.set("file", new Blob([file], { type: "image/webp" }), "home.webp");
  const upload = { method: "POST", headers: { Authorization }, body: form, status: 201 };
  const { url } = (await (await expectAnswer(`${origin}/api/upload`, upload)).json()) as {
    url: string;
  };
  await expectAnswer(origin + url);

  const list = await expectAnswer(`${origin}/api/admin/invoices`, { headers: { Authorization } });
  const [invoice] = (await list.json()) as { id: number }[];
  assert(invoice, "there is an invoice");
  const pdf = await expectAnswer(`${origin}/api/invoices/${invoice.id}/download`, {
    headers: { Authorization },
  });
  const bytes = Buffer.from(await pdf.arrayBuffer());
  assert.equal(bytes.subarray(0, 5).toString(), "%PDF-");
}

async function waitFor(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error("The server has ended.");
}

void runCommand(async () => {
  lintImageFiles();
  console.log("Dockerfile and compose.yaml are well-formed.");
  const services = new Services(130);
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-image-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));
  chmodSync(folder, 0o755);
  const [context, shop] = [path.join(folder, "build"), path.join(folder, "shop")];
  copyContext(context);
  linkFolder(path.join(ROOT, "node_modules"), path.join(context, "node_modules"));
  execFileSync("npm", ["run", "build:standalone"], { cwd: context, stdio: "inherit" });
  cpSync(path.join(context, ".next/shop"), shop, { recursive: true, verbatimSymlinks: true });
  rmSync(context, { recursive: true });
  for (const name of [".data", ".next/cache"]) {
    mkdirSync(path.join(shop, name), { mode: 0o750 });
    if (ACCOUNT.uid !== undefined) chownSync(path.join(shop, name), ACCOUNT.uid, ACCOUNT.gid);
  }
  console.log(`The image's own files: ${megabytes(shop)} MB.`);

  const postgres = await services.start(startTemporaryPostgres);
  const port = await freePort();
  const env = {
    ...imageEnv(),
    HOSTNAME: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: postgres.url,
    AUTH_SECRET: "a-secret-of-the-check-that-signs-sessions",
    SITE_URL: `http://127.0.0.1:${port}`,
    NODE_ENV: "production",
  };
  await runToEnd(["commands/db-migrate.cjs"], env, shop);
  await runToEnd(["commands/db-seed.cjs"], env, shop);
  const account = ["--email", "chef@exemple.fr", "--password", "Chef-2026!"];
  await runToEnd(["commands/admin-create.cjs", ...account], env, shop);

  const [, ...program] = imageCommand();
  const server = runInImage(program, env, shop);
  const ended = once(server, "exit");
  await services.start(async () => ({
    stop: async () => void (server.exitCode === null && server.kill("SIGKILL")),
  }));
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(`${origin}/contact`, server);
  await checkServer(origin);
  server.kill("SIGTERM");
  const [code, signal] = await ended;
  assert(code === 0 || code === 143 || signal === "SIGTERM", `SIGTERM ended it with ${code}`);
  console.log("All of the image's steps work.");
  return services.shutDown(0);
});
