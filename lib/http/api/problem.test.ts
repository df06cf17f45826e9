import fs from "node:fs";
import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { problem } from "@/lib/http/api/problem";

const environment = { ...process.env };

test.beforeAll(() => {
  process.env.LOG_LEVEL = "info";
  forgetEnv();
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const URL_WITH_EMAIL = "http://shop.test/api/things?email=secret@shop.test";

/** The answer to an error, and what the log says of it. */
async function answer(
  error: unknown,
  { errorsMap = false, request = new Request(URL_WITH_EMAIL) } = {},
) {
  const write = fs.writeSync;
  let lines = "";
  // As the log does: to a file descriptor.
  fs.writeSync = (_file: number, text: unknown) => {
    lines += text;
    return Buffer.byteLength(String(text));
  };
  const response = problem(error, { errorsMap, request });
  const body = await response.json();
  fs.writeSync = write;
  return { status: response.status, headers: Object.fromEntries(response.headers), body, lines };
}

test("a refusal has API Platform's keys and the common headers", async () => {
  const detail = "Ce produit n'existe pas.";
  expect(await answer(fail.notFound(detail))).toMatchObject({
    status: 404,
    headers: {
      "content-type": "application/problem+json; charset=utf-8",
      vary: "Accept",
      "cache-control": "no-store",
      link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
    },
    body: {
      "@context": "/api/contexts/Error",
      "@id": "/api/errors/404",
      "@type": "hydra:Error",
      type: "/api/errors/404",
      status: 404,
      title: "Introuvable",
      detail,
      description: detail,
      "hydra:title": "Introuvable",
      "hydra:description": detail,
      error: detail,
    },
  });
});

test("each status has what belongs to it: LexikJWT's keys, Retry-After, Allow", async () => {
  const wrong = "Email ou mot de passe incorrect";
  for (const [failure, expected] of [
    [
      fail.unauthorized(wrong),
      {
        status: 401,
        headers: { "www-authenticate": "Bearer" },
        body: { code: 401, message: wrong, "@type": "hydra:Error", error: wrong },
      },
    ],
    [
      fail.tooMany({ retryAfter: 41.2 }),
      {
        status: 429,
        headers: { "retry-after": "42" },
        body: { error: "Trop de tentatives. Réessayez dans 42 secondes." },
      },
    ],
    [fail.unavailable(), { status: 503, headers: { "retry-after": "5" } }],
    [fail.methodNotAllowed("GET, HEAD"), { status: 405, headers: { allow: "GET, HEAD" } }],
  ] as const)
    expect(await answer(failure)).toMatchObject(expected);
});

test("422 lists the violations, and maps them by field if the call does so", async () => {
  const failure = fail.violations([
    { propertyPath: "email", message: "Trop long." },
    { propertyPath: "email", message: "Mal écrit." },
    { propertyPath: "", message: "Tous les champs sont obligatoires" },
  ]);
  const { status, body } = await answer(failure);
  expect(status).toBe(422);
  expect(body).toMatchObject({
    "@type": "ConstraintViolationList",
    violations: failure.violations,
    "hydra:description": "email: Trop long.\nemail: Mal écrit.\nTous les champs sont obligatoires",
  });
  expect(body).not.toHaveProperty("errors");
  expect((await answer(failure, { errorsMap: true })).body.errors).toEqual({
    email: "Trop long.",
    general: "Tous les champs sont obligatoires",
  });
  const refusal = await answer(fail.forbidden("Confirmez."), { errorsMap: true });
  expect(refusal.body.errors).toEqual({ general: "Confirmez." });
});

test("what PostgreSQL refuses has a status, and shows its values neither to the client nor in the log", async () => {
  for (const [status, ...codes] of [
    [400, "22021", "22003", "22P02", "22001", "22008"],
    [409, "23505", "23503"],
    [422, "23514", "23502"],
    [500, "22012", "42601"],
    [503, "40001", "40P01", "57014", "53300", "57P01"],
  ] as const)
    for (const code of codes) {
      const refusal = new Error('invalid input syntax: "secret"');
      const cause = Object.assign(refusal, { code, severity: "ERROR" });
      // As drizzle throws it.
      const query = new Error("Failed query: select 1\nparams: secret", { cause });
      const given = await answer(Object.assign(query, { params: ["secret"] }));
      expect(given.status, code).toBe(status);
      expect(JSON.stringify(given.body)).not.toContain("secret");
      expect(given.lines).not.toContain("secret");
      expect(given.lines).toContain(code);
    }
  const lost = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect((await answer(new Error("Failed query", { cause: lost }))).status).toBe(503);
});

test("a client that disconnects while sending is not logged as an error", async () => {
  const request = new Request(URL_WITH_EMAIL, { signal: AbortSignal.abort() });
  expect((await answer(new Error("aborted"), { request })).lines).toBe("");
});
