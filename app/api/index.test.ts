import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { API_INDEX } from "@/app/api";
import { apiDocumentation, contextOf } from "@/lib/http/api/hydra";
import { jsonSchemaOf, withoutNull } from "@/lib/http/api/json-schema";
import { openApi } from "@/lib/http/api/openapi";
import { bodySchemaOf, listOperations, listResources } from "@/lib/http/api/operations";
import { VERBS } from "@/lib/http/api/verbs";

const API_FOLDER = import.meta.dirname;
const indexed = Object.values(API_INDEX).flatMap((routes) => Object.entries(routes));

const paths = indexed.map(([route]) => route);

test("the index has every route file below app/api", () => {
  const routes = readdirSync(API_FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .map((file) => path.posix.join("/api", path.dirname(file)))
    // Without documentation: the one refuses unknown addresses, the other is next-auth's.
    .filter((route) => !route.includes("[..."))
    .map((route) => route.replace(/\[(\w+)\]/g, "{$1}"));
  expect([...paths].sort()).toEqual(routes.sort());
});

test("every route file begins with the verbs and the address that it serves", () => {
  for (const [route, handlers] of indexed) {
    const folder = route.replace(/\{(\w+)\}/g, "[$1]").slice("/api".length);
    const source = readFileSync(path.join(API_FOLDER, folder, "route.ts"), "utf8");
    const said = [...source.matchAll(/^\/\/ ([A-Z]+(?:, [A-Z]+)*) (\/api\S*) – /gm)];
    expect([...new Set(said.map(([, , address]) => address))], route).toEqual([route]);
    const verbs = said.flatMap(([, names = ""]) => names.split(", "));
    const documented = VERBS.filter((verb) => handlers[verb].definition);
    expect(verbs.sort(), route).toEqual([...documented].sort());
  }
});

test("every call says in French what it does, and declares the parameters of its path", () => {
  for (const [route, handlers] of indexed)
    expect(Object.keys(handlers).sort(), route).toEqual([...VERBS].sort());
  const operations = listOperations(API_INDEX);
  expect(operations.length).toBeGreaterThanOrEqual(indexed.length);
  for (const { verb, path: route, definition } of operations) {
    expect(definition.summary, `${verb} ${route}`).toMatch(/^\p{Lu}.{4,}[^.]$/u);
    const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(definition.params?.shape ?? {}), `${verb} ${route}`).toEqual(named);
  }
});

test("the OpenAPI document has unique names and no broken references", () => {
  const api = openApi(API_INDEX);
  const calls = Object.values(api.paths).flatMap((verbs) => Object.values(verbs));
  const ids = calls.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const text = JSON.stringify(api);
  for (const [, pointer = ""] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split("/")
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], api);
    expect(target, pointer).toBeDefined();
  }
  expect(text).not.toContain('"property":');
  for (const { responses } of calls) expect(Object.keys(responses)[0]).toMatch(/^2\d\d$/);
});

test("every field is described, and Hydra has a context for every resource and its classes", () => {
  const classes = apiDocumentation(API_INDEX)["hydra:supportedClass"] as Record<string, unknown>[];
  const names = classes.map((entry) => String(entry["hydra:title"]));
  for (const [name, { schema, subclasses }] of listResources(listOperations(API_INDEX))) {
    for (const [field, { description }] of Object.entries(schema.shape))
      expect(description, `${name}.${field}`).toBeTruthy();
    expect(names).toEqual(expect.arrayContaining([name, ...subclasses]));
    for (const entry of [name, ...subclasses])
      expect(contextOf({ index: API_INDEX, name: entry }), entry).not.toBeNull();
  }
  for (const name of ["Entrypoint", "Error", "ConstraintViolationList"])
    expect(contextOf({ index: API_INDEX, name }), name).not.toBeNull();
  for (const name of ["Nothing", "constructor", "__proto__"])
    expect(contextOf({ index: API_INDEX, name })).toBeNull();
});

test("the schema of a body requires every field that the call requires", () => {
  for (const { verb, path: route, definition } of listOperations(API_INDEX)) {
    const { body } = definition;
    if (!body || "kind" in body) continue;
    const { required = [], properties = {} } = jsonSchemaOf(body);
    const missing = (body.safeParse({}).error?.issues ?? []).flatMap(
      ({ path: [field, ...rest] }) =>
        rest.length === 0 && String(field) in properties ? String(field) : [],
    );
    expect(required, `${verb} ${route}`).toEqual(expect.arrayContaining([...new Set(missing)]));
  }
});

test("a single-line text accepts no bidirectional control characters", () => {
  const taken = listOperations(API_INDEX).flatMap((operation) => {
    const schema = bodySchemaOf(operation);
    if (!schema) return [];
    const fields = Object.entries(jsonSchemaOf(schema).properties ?? {});
    const texts = fields.flatMap(([name, field]) =>
      [withoutNull(field).type].flat().includes("string") ? name : [],
    );
    return texts.filter((name) => {
      const issues = schema.safeParse({ [name]: "facture\u202efdp.exe" }).error?.issues ?? [];
      return !issues.some(({ path: [field] }) => field === name);
    });
  });
  expect([...new Set(taken)].sort()).toEqual([
    // Only its letters and digits count.
    "code",
    // A token as typed: only its digest is stored.
    "confirmationToken",
    // A text of several lines.
    "content",
    "csv",
    "description",
    // An invalid e-mail address is refused only if no other field is missing.
    "email",
    "message",
    "password",
    // An id to look up.
    "paymentIntentId",
    "rejectionReason",
    "shippingMethodId",
    "terms",
    "token",
    "username",
  ]);
});
