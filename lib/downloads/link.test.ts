import { expect, test } from "@playwright/test";
import { downloadLinkFor, isSigned, LINK_LIFETIME } from "@/lib/downloads/link";
import { forgetEnv } from "@/lib/env";

const SECRET = process.env.AUTH_SECRET;

test.beforeAll(() => {
  process.env.AUTH_SECRET = "a-secret-that-signs-links-in-this-test";
  forgetEnv();
});

test.afterAll(() => {
  if (SECRET === undefined) delete process.env.AUTH_SECRET;
  else process.env.AUTH_SECRET = SECRET;
  forgetEnv();
});

const viewer = { id: 3, sessionVersion: 2 };
const now = Date.UTC(2026, 10, 20, 10);
const link = (given: string | null) => downloadLinkFor({ link: given, lineId: 9, viewer, now });

test("the link to a file of the shop is valid for one user and one hour", () => {
  const url = new URL(link("/downloads/guide des thés.pdf") ?? "", "http://shop");
  expect(decodeURIComponent(url.pathname)).toBe("/downloads/9/guide des thés.pdf");
  const expires = now / 1000 + LINK_LIFETIME;
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ user: "3", expires: `${expires}` });

  const claim = { lineId: 9, userId: 3, expires };
  const signature = url.searchParams.get("signature") ?? "";
  const check = (change: object, sessionVersion = 2, text = signature) =>
    isSigned({ claim: { ...claim, ...change }, sessionVersion, signature: text });
  expect(check({})).toBe(true);
  expect(check({ lineId: 10 })).toBe(false);
  expect(check({ userId: 4 })).toBe(false);
  expect(check({ expires: expires + 1 })).toBe(false);
  expect(check({}, 3)).toBe(false);
  expect(check({}, 2, signature.toUpperCase())).toBe(false);
  expect(check({}, 2, "")).toBe(false);
});

test("the link to an external file is given unchanged, an invalid one is omitted", () => {
  expect(link("https://videos.exemple.fr/cours.mp4")).toBe("https://videos.exemple.fr/cours.mp4");
  for (const none of [
    null,
    "",
    "javascript:alert(1)",
    "data:text/html,x",
    "//mauvais.fr/a",
    "/account",
  ])
    expect(link(none), String(none)).toBeNull();
});
