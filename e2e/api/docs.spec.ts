import { type Api as HydraApi, parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";

/** What every API answer says of the documentation. */
const LINK = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

const resourceOf = (api: HydraApi, name: string) => {
  const found = api.resources?.find((resource) => resource.name === name);
  if (!found) throw new Error(`no resource ${name}`);
  return found;
};

test("API Platform's client library finds every resource of the entry point, with its fields", async ({
  api,
  shop,
}) => {
  const { api: parsed, status } = await parseHydraDocumentation(`${shop.baseURL}/api`);
  expect(status).toBe(200);
  const entrypoint = await api.get<Record<string, string>>("/api", { accept: "application/json" });
  const urls = Object.values(entrypoint.json).map((path) => shop.baseURL + path);
  expect(parsed.resources?.map(({ url }) => url).sort()).toEqual(urls.sort());

  for (const path of Object.values(entrypoint.json)) {
    const resource = resourceOf(parsed, path.slice("/api/".length));
    const operations = resource.operations?.map(({ method, type }) => `${type} ${method}`);
    expect(operations, path).toContain("list GET");
    const list = await api.get<{ "hydra:member": Record<string, unknown>[] }>(path);
    // Lists that only administrators read answer 401 here; their fields are tested with them.
    if (list.status !== 200) continue;
    const [member = {}] = list.json["hydra:member"];
    const keys = Object.keys(member).filter((key) => !key.startsWith("@"));
    expect(keys.length, path).toBeGreaterThan(2);
    expect(resource.readableFields?.map(({ name }) => name)).toEqual(expect.arrayContaining(keys));
  }
});

test("the client library knows types, relations and filters of a product", async ({ shop }) => {
  const { api: parsed } = await parseHydraDocumentation(`${shop.baseURL}/api`);
  const product = resourceOf(parsed, "products");
  const field = (name: string) => product.fields?.find((entry) => entry.name === name);
  expect(field("id")?.type).toBe("integer");
  expect(field("name")?.type).toBe("string");
  expect(field("price")?.type).toBe("decimal");
  expect(field("defaultCategory")?.embedded).toBe(resourceOf(parsed, "categories"));
  expect(field("defaultCategory")?.maxCardinality).toBe(1);
  expect(field("tags")?.embedded).toBe(resourceOf(parsed, "tags"));
  expect(field("tags")?.maxCardinality).toBeNull();
  expect(product.operations?.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["list", "show"]),
  );
  const parameters = await product.getParameters?.();
  expect(parameters?.map(({ variable }) => variable)).toEqual(
    expect.arrayContaining(["search", "type", "min_price", "max_price", "category", "tags.id"]),
  );
});

test("the entry point names itself and the documentation", async ({ api }) => {
  const { status, headers, json } = await api.get("/api");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/ld+json; charset=utf-8");
  expect(headers.link).toContain(LINK);
  expect(json).toMatchObject({
    "@context": "/api/contexts/Entrypoint",
    "@id": "/api",
    "@type": "Entrypoint",
    product: "/api/products",
    category: "/api/categories",
    tag: "/api/tags",
  });
});

test("every context that an answer names exists", async ({ api }) => {
  const paths = ["/api", "/api/products", "/api/categories", "/api/tags", "/api/home", "/api/none"];
  for (const path of paths) {
    const { json } = await api.get<{ "@context": string }>(path);
    const context = await api.get<{ "@context": Record<string, unknown> }>(json["@context"]);
    expect(context.status, path).toBe(200);
    expect(context.json["@context"]).toMatchObject({ hydra: "http://www.w3.org/ns/hydra/core#" });
  }
  expect((await api.get("/api/contexts/Nothing")).status).toBe(404);
});

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { parameters?: { name: string }[]; responses: object }>>;
}

test("the OpenAPI document lists every call, its parameters and its refusals", async ({ api }) => {
  const { status, headers, json } = await api.get<OpenApi>("/api/docs.json");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(json.openapi).toBe("3.1.0");
  const list = json.paths["/api/products"]?.get;
  const item = json.paths["/api/products/{id}"]?.get;
  expect(list?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["search", "min_price", "tags.id", "page", "itemsPerPage"]),
  );
  expect(Object.keys(list?.responses ?? {})).toEqual(expect.arrayContaining(["200", "400", "406"]));
  expect(Object.keys(item?.responses ?? {})).toEqual(expect.arrayContaining(["200", "404", "406"]));
  const contact = json.paths["/api/contact"]?.post;
  expect(Object.keys(contact?.responses ?? {})).toEqual(
    expect.arrayContaining(["201", "400", "413", "415", "422", "429"]),
  );
});

test("what visitors are answered is what the OpenAPI document says", async ({
  api,
  database: db,
}) => {
  const { token } = await newAdmin(db);
  const { json: document } = await api.get<OpenApi>("/api/docs.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "docs");
  const pointer = (...steps: string[]) =>
    steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  for (const [documented, path] of [
    ["/api/products", "/api/products"],
    ["/api/products/{id}", "/api/products/1"],
    ["/api/categories", "/api/categories"],
    ["/api/categories/{id}", "/api/categories/1"],
    ["/api/tags", "/api/tags"],
    ["/api/tags/{id}", "/api/tags/1"],
    ["/api/reviews", "/api/reviews?product=1"],
    ["/api/home", "/api/home"],
  ] as const)
    for (const accept of ["application/ld+json", "application/json"])
      for (const caller of [undefined, token]) {
        const answer = await api.get(path, { accept, token: caller });
        expect(answer.status, path).toBe(200);
        const place = pointer(
          "paths",
          documented,
          "get",
          "responses",
          "200",
          "content",
          accept,
          "schema",
        );
        const validate = ajv.compile({ $ref: `docs#${place}` });
        validate(answer.json);
        expect(validate.errors, `${accept} of ${path}`).toBeNull();
      }
  const reviews = document.paths["/api/reviews"]?.get;
  expect(reviews?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["product", "status", "user"]),
  );
  expect(Object.keys(reviews?.responses ?? {})).toEqual(expect.arrayContaining(["401", "403"]));
});

test("documents are sent once: who has them already is told so", async ({ api }) => {
  for (const path of ["/api/docs", "/api/docs.json", "/api/docs.jsonld"]) {
    const { headers } = await api.get(path);
    const again = await api.get(path, { headers: { "If-None-Match": String(headers.etag) } });
    expect([again.status, again.text], path).toEqual([304, ""]);
  }
});

test("the page to read names every call, and needs no script and no other file", async ({
  api,
}) => {
  const page = await api.get("/api/docs", { accept: "text/html" });
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  const { json } = await api.get<OpenApi>("/api/docs.json");
  const text = page.text.replaceAll("<wbr>", "");
  for (const path of Object.keys(json.paths)) expect(text).toContain(`<code>${path}</code>`);
  expect(text).not.toMatch(/<script|<link|<img|@import|url\(/);
});
