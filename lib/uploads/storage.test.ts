import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { BODY_LENGTH } from "@/lib/http/headers";
import { answerImage } from "./answer";
import { imageName, readImage } from "./storage";

let root: string;

test.beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "uploads-"));
  const uploads = path.join(root, "uploads");
  await mkdir(path.join(uploads, "2026", "folder.png"), { recursive: true });
  await writeFile(path.join(uploads, "tasse.webp"), "a picture");
  await writeFile(path.join(uploads, "2026", "été 1.JPG"), "another");
  await writeFile(path.join(uploads, "page.svg"), "<svg/>");
  await writeFile(path.join(uploads, ".hidden.png"), "hidden");
  await writeFile(path.join(root, "secret.png"), "secret");
  process.env.UPLOADS_DIR = uploads;
  forgetEnv();
});

test.afterAll(async () => {
  delete process.env.UPLOADS_DIR;
  forgetEnv();
  await rm(root, { recursive: true, force: true });
});

test("only pictures below /images, with bare names or paths, are accepted", () => {
  expect(imageName("tasse.webp")).toBe("tasse.webp");
  expect(imageName("/images/2026/tasse.webp")).toBe("2026/tasse.webp");
  expect(imageName(["2026", "été 1.JPG"])).toBe("2026/été 1.JPG");
  for (const wrong of [
    "",
    "/images/",
    "tasse",
    "tasse.svg",
    "tasse.html",
    "tasse.webp.exe",
    ".webp",
    ".hidden.png",
    "../secret.png",
    "/images/../secret.png",
    "2026/../../secret.png",
    // A bucket contains the files for sale in this folder.
    "downloads/affiche.png",
    "/images/downloads/affiche.png",
    "/images/Downloads/2026/affiche.png",
    "..\\secret.png",
    "%2e%2e/secret.png",
    "/etc/passwd.png",
    "//exemple.fr/a.png",
    "https://exemple.fr/a.png",
    "a\0.png",
    "a\n.png",
    "a/b/c/d/e.png",
    `${"a".repeat(300)}.png`,
  ])
    expect(imageName(wrong), JSON.stringify(wrong)).toBeNull();
  expect(imageName(["..", "secret.png"])).toBeNull();
  expect(imageName(["", "secret.png"])).toBeNull();
  expect(imageName(["downloads", "affiche.png"])).toBeNull();
  expect(imageName(["a/../../secret.png"])).toBeNull();
});

test("an uploaded picture is read with its type, other paths give nothing", async () => {
  const image = await readImage("/images/tasse.webp");
  expect(image).toMatchObject({ contentType: "image/webp", size: 9 });
  const stream = await image?.open({ signal: AbortSignal.timeout(10_000) });
  expect(await new Response(stream ?? null).text()).toBe("a picture");
  expect((await readImage(["2026", "été 1.JPG"]))?.contentType).toBe("image/jpeg");
  for (const missing of ["other.webp", "2026/folder.png", "tasse.webp/a.png", "../secret.png"])
    expect(await readImage(missing), missing).toBeNull();
});

test("pictures are cached for ever, known ones are 304, missing ones are a French 404", async () => {
  const ask = (file: string[], init?: RequestInit) =>
    answerImage({ request: new Request("http://shop/images/x", init), file });

  const found = await ask(["tasse.webp"]);
  expect(found.status).toBe(200);
  expect(Object.fromEntries(found.headers)).toMatchObject({
    "content-type": "image/webp",
    [BODY_LENGTH]: "9",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  expect(await found.text()).toBe("a picture");

  const etag = found.headers.get("etag") ?? "";
  const known = await ask(["tasse.webp"], { headers: { "If-None-Match": `W/${etag}` } });
  expect(known.status).toBe(304);
  expect(known.headers.get("etag")).toBe(etag);

  const head = await ask(["tasse.webp"], { method: "HEAD" });
  expect(head.headers.get(BODY_LENGTH)).toBe("9");
  expect(head.body).toBeNull();

  const missing = await ask(["page.svg"]);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ status: 404, detail: "Image introuvable." });
});

test("an unread picture is closed when its visitor disconnects", async () => {
  const file = path.join(process.env.UPLOADS_DIR ?? "", "unread.webp");
  await writeFile(file, "a picture");
  const visit = new AbortController();
  const request = new Request("http://shop/images/x", { signal: visit.signal });
  const answer = await answerImage({ request, file: ["unread.webp"] });
  expect(answer.status).toBe(200);
  expect(await openFiles()).toContain(file);
  visit.abort();
  await expect.poll(openFiles).not.toContain(file);
  await expect(answer.text()).rejects.toThrow("aborted");
});

test("a picture that has been replaced since it was found is not sent", async () => {
  const file = path.join(process.env.UPLOADS_DIR ?? "", "replaced.webp");
  await writeFile(file, "a picture");
  const found = await readImage("replaced.webp");
  await writeFile(file, "another picture");
  await expect(found?.open({ signal: AbortSignal.timeout(10_000) })).rejects.toThrow("changed");
});

/** The files that this process has open, according to Linux. */
async function openFiles(): Promise<string[]> {
  const folder = "/proc/self/fd";
  const links = await readdir(folder);
  return Promise.all(links.map((link) => readlink(path.join(folder, link)).catch(() => "")));
}
