import { expect, test } from "@playwright/test";
import jsQr from "jsqr";
import { generateSync } from "otplib";
import sharp from "sharp";
import {
  createRecoveryCodes,
  createSecret,
  normaliseCode,
  qrCodeUrl,
  stepOfCode,
} from "@/lib/auth/authenticator";

/** The secret of RFC 6238's own test table, "12345678901234567890", in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("codes are the six digits of RFC 6238", () => {
  // The table's codes have eight digits; an app's code is their last six.
  for (const [seconds, code] of [
    [59, "287082"],
    [1111111109, "081804"],
    [1234567890, "005924"],
    [20000000000, "353130"],
  ] as const) {
    const step = stepOfCode({ secret: RFC_SECRET, code, now: seconds * 1000 });
    expect(step).toBe(Math.floor(seconds / 30));
  }
  for (const code of ["", "28708", "2870820", "28708a", "-87082", "２８７０８２"])
    expect(stepOfCode({ secret: RFC_SECRET, code, now: 59_000 }), code).toBeNull();
});

test("secrets have 160 bits; the codes of the previous and the next step are accepted, those beyond are not", () => {
  const secret = createSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(createSecret()).not.toBe(secret);
  const now = 1_800_000_015_000;
  const step = now / 1000 / 30 - 0.5;
  const codeAt = (steps: number) =>
    generateSync({ secret, epoch: Math.floor(now / 1000) + steps * 30 });
  const accepted = [-2, -1, 0, 1, 2].map((steps) =>
    stepOfCode({ secret, code: codeAt(steps), now }),
  );
  expect(accepted).toEqual([null, step - 1, step, step + 1, null]);
});

test("the QR code holds the secret", async () => {
  const secret = createSecret();
  const url = await qrCodeUrl({ secret, email: "zoe+boutique@exemple.fr" });
  expect(url).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
  const { data, info } = await sharp(Buffer.from(url.split(",")[1] ?? "", "base64"))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.width).toBeGreaterThan(200);
  const uri = new URL(jsQr(new Uint8ClampedArray(data), info.width, info.height)?.data ?? "none:");
  expect(uri.protocol).toBe("otpauth:");
  expect(decodeURIComponent(uri.pathname)).toContain("Mini Ecommerce:zoe+boutique@exemple.fr");
  // Without further parameters an app uses SHA-1, 6 digits and 30 seconds.
  expect(Object.fromEntries(uri.searchParams)).toEqual({ issuer: "Mini Ecommerce", secret });
});

test("there are ten recovery codes of six characters, which differ from codes of the app", () => {
  const codes = Array.from({ length: 50 }, createRecoveryCodes);
  for (const ten of codes) {
    expect(new Set(ten).size).toBe(10);
    for (const code of ten) expect(code).toMatch(/^[BCDFGHJ-NP-TV-XZ][BCDFGHJ-NP-TV-XZ2-9]{5}$/);
  }
  expect(new Set(codes.flat()).size).toBeGreaterThan(495);
});

test("spaces, hyphens and small letters do not matter", () => {
  expect(normaliseCode(" 123 456 ")).toBe("123456");
  expect(normaliseCode("k7m-p2x")).toBe("K7MP2X");
  expect(normaliseCode("１２３ ４５６")).toBe("123456");
  // Some programs copy a number with direction controls.
  expect(normaliseCode("\u202d123456\u202c")).toBe("123456");
});
