import fs from "node:fs";
import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { problem } from "@/lib/http/api/problem";
import { describeError } from "@/lib/http/server/log";

const environment = { ...process.env };

test.beforeAll(() => {
  process.env.LOG_LEVEL = "info";
  forgetEnv();
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const request = new Request("http://shop.test/api/things?email=secret@shop.test");

async function answer(error: unknown, options: Partial<Parameters<typeof problem>[1]> = {}) {
  const response = problem(error, { request, ...options });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Keeps the expected log lines out of the tests' output, and gives them. */
async function logged(run: () => Promise<void>): Promise<string> {
  const write = fs.writeSync;
  let lines = "";
  // As the log does: to a file descriptor.
  fs.writeSync = (_file: number, text: unknown) => {
    lines += text;
    return Buffer.byteLength(String(text));
  };
  try {
    await run();
  } finally {
    fs.writeSync = write;
  }
  return lines;
}

test("a refusal has API Platform's keys and the common headers", async () => {
  const { status, headers, body } = await answer(fail.notFound("Ce produit n'existe pas."));
  expect(status).toBe(404);
  expect(body).toEqual({
    "@context": "/api/contexts/Error",
    "@id": "/api/errors/404",
    "@type": "hydra:Error",
    type: "/api/errors/404",
    status: 404,
    title: "Introuvable",
    detail: "Ce produit n'existe pas.",
    description: "Ce produit n'existe pas.",
    "hydra:title": "Introuvable",
    "hydra:description": "Ce produit n'existe pas.",
    error: "Ce produit n'existe pas.",
  });
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(headers.get("vary")).toBe("Accept");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("link")).toBe(
    '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
  );
});

test("401 also has the keys of LexikJWT", async () => {
  const { status, headers, body } = await answer(
    fail.unauthorized("Email ou mot de passe incorrect"),
  );
  expect(status).toBe(401);
  expect(headers.get("www-authenticate")).toBe("Bearer");
  expect(body).toMatchObject({
    code: 401,
    message: "Email ou mot de passe incorrect",
    "@type": "hydra:Error",
    error: "Email ou mot de passe incorrect",
  });
});

test("422 lists the violations, and maps them by field if the call does so", async () => {
  const failure = fail.violations([
    { propertyPath: "email", message: "Trop long." },
    { propertyPath: "email", message: "Mal écrit." },
    { propertyPath: "", message: "Tous les champs sont obligatoires" },
  ]);
  const plain = await answer(failure);
  expect(plain.status).toBe(422);
  expect(plain.body).toMatchObject({
    "@type": "ConstraintViolationList",
    violations: failure.violations,
    "hydra:description": "email: Trop long.\nemail: Mal écrit.\nTous les champs sont obligatoires",
  });
  expect(plain.body).not.toHaveProperty("errors");
  const mapped = await answer(failure, { errorsMap: true });
  expect(mapped.body.errors).toEqual({
    email: "Trop long.",
    general: "Tous les champs sont obligatoires",
  });
});

test("429 and 503 have Retry-After, 405 has Allow", async () => {
  const limited = await answer(fail.tooMany({ retryAfter: 41.2 }));
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "42"]);
  expect(limited.body.error).toBe("Trop de tentatives. Réessayez dans 42 secondes.");
  const away = await answer(fail.unavailable());
  expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
  const method = await answer(fail.methodNotAllowed("GET, HEAD"));
  expect([method.status, method.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("an unexpected error reveals nothing to the client, and is logged without personal data", async () => {
  const lines = await logged(async () => {
    const { status, headers, body } = await answer(new Error("password=hunter2"));
    expect(status).toBe(500);
    expect(body.error).toBe("Une erreur interne est survenue. Veuillez réessayer plus tard.");
    expect(JSON.stringify(body)).not.toMatch(/hunter2|problem\.test|Error:/);
    expect(headers.get("x-request-id")).toBe(body.requestId);
  });
  const line = JSON.parse(lines);
  expect(line).toMatchObject({ method: "GET", path: "/api/things", err: { type: "Error" } });
  expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines).not.toContain("secret@shop.test");
});

/** As drizzle throws it: the driver's error as the cause. */
function databaseError(code: string) {
  const cause = Object.assign(new Error(`invalid input syntax: "secret"`), {
    code,
    severity: "ERROR",
  });
  return Object.assign(new Error("Failed query: select 1\nparams: secret", { cause }), {
    params: ["secret"],
  });
}

const fromDatabase: [code: string, status: number][] = [
  ["22021", 400],
  ["22003", 400],
  ["22P02", 400],
  ["22001", 400],
  ["22008", 400],
  ["22012", 500],
  ["23505", 409],
  ["23503", 409],
  ["23514", 422],
  ["23502", 422],
  ["40001", 503],
  ["40P01", 503],
  ["57014", 503],
  ["53300", 503],
  ["57P01", 503],
  ["42601", 500],
];

for (const [code, status] of fromDatabase)
  test(`PostgreSQL's ${code} is ${status}, without its values in the answer or the log`, async () => {
    const lines = await logged(async () => {
      const { status: given, body } = await answer(databaseError(code));
      expect(given).toBe(status);
      expect(JSON.stringify(body)).not.toContain("secret");
    });
    expect(lines).not.toContain("secret");
    expect(lines).toContain(code);
  });

test("a database that cannot be reached is 503", async () => {
  const lost = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
    code: "ECONNREFUSED",
  });
  await logged(async () => {
    expect((await answer(new Error("Failed query", { cause: lost }))).status).toBe(503);
  });
});

test("a client that disconnects while sending is not logged as an error", async () => {
  const controller = new AbortController();
  const left = new Request("http://shop.test/api/things", { signal: controller.signal });
  controller.abort();
  const lines = await logged(async () => {
    await answer(new Error("aborted"), { request: left });
  });
  expect(lines).toBe("");
});

test("errors are described without the values they carry", () => {
  expect(describeError(databaseError("22P02"))).toMatchObject({
    message: "Failed query: select 1",
    cause: { code: "22P02", message: "invalid input syntax" },
  });
  expect(describeError("text")).toEqual({ type: "string" });
});
