import { type Api as HydraApi, parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { staleTokenOf } from "../accounts";
import { makeUnpaid, newAdmin } from "../admin";
import type { Api } from "../api-client";
import { confirm, createBuyerWithCart, payCart } from "../buying";
import { expect, test } from "../fixtures";

const resourceOf = (api: HydraApi, name: string) => {
  const found = api.resources?.find((resource) => resource.name === name);
  if (!found) throw new Error(`no resource ${name}`);
  return found;
};

test("API Platform's client library finds every resource", async ({ api, shop }) => {
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
    // Lists for administrators answer 401 here. Their own tests check their fields.
    if (list.status !== 200) continue;
    const [member = {}] = list.json["hydra:member"];
    const keys = Object.keys(member).filter((key) => !key.startsWith("@"));
    expect(keys.length, path).toBeGreaterThan(2);
    expect(resource.readableFields?.map(({ name }) => name)).toEqual(expect.arrayContaining(keys));
  }

  // Types, relations and filters of a product.
  const product = resourceOf(parsed, "products");
  const field = (name: string) => product.fields?.find((entry) => entry.name === name);
  expect(field("id")?.type).toBe("integer");
  expect(field("name")?.type).toBe("string");
  expect(field("price")?.type).toBe("decimal");
  expect(field("defaultCategory")?.embedded).toBe(resourceOf(parsed, "categories"));
  expect(field("defaultCategory")?.maxCardinality).toBe(1);
  expect(field("tags")?.embedded).toBe(resourceOf(parsed, "tags"));
  expect(field("tags")?.maxCardinality).toBeNull();
  expect(product.operations?.map(({ type }) => type)).toContain("show");
  const parameters = await product.getParameters?.();
  expect(parameters?.map(({ variable }) => variable)).toEqual(
    expect.arrayContaining(["search", "type", "min_price", "max_price", "category", "tags.id"]),
  );
});

interface OpenApi {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        description?: string;
        parameters?: { name: string }[];
        requestBody?: { content: object };
        responses: object;
      }
    >
  >;
}

const FORMATS = ["application/ld+json", "application/json"] as const;

/** Returns how a response violates the OpenAPI document, or null. */
async function createSchemaValidator(api: Api) {
  const { json: document } = await api.get<OpenApi>("/api/docs.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "docs");
  return ({
    call,
    answer,
    accept,
  }: {
    /** `GET /api/products/{id}` */
    call: string;
    answer: { status: number; json: unknown };
    accept: (typeof FORMATS)[number];
  }) => {
    const [verb = "", path = ""] = call.split(" ");
    const steps = [
      "paths",
      path,
      verb.toLowerCase(),
      "responses",
      String(answer.status),
      "content",
      accept,
      "schema",
    ];
    const place = steps
      .map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
    const validate = ajv.compile({ $ref: `docs#${place}` });
    validate(answer.json);
    return validate.errors ?? null;
  };
}

test("the OpenAPI document lists every call, its parameters and its errors", async ({ api }) => {
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
    expect.arrayContaining(["201", "303", "400", "413", "415", "422", "429"]),
  );
  expect(Object.keys(contact?.requestBody?.content ?? {})).toContain(
    "application/x-www-form-urlencoded",
  );
  expect(contact?.responses).toMatchObject({ 422: { content: { "text/html": {} } } });
  const confirmation = json.paths["/api/cart/confirm-order"]?.post;
  expect(Object.keys(confirmation?.responses ?? {})).toEqual(
    expect.arrayContaining(["200", "201"]),
  );
  // The load balancer's check has the same schema in both cases.
  const ready = (json.paths["/api/ready"]?.get?.responses ?? {}) as Record<string, unknown>;
  expect(ready[503]).toEqual(ready[200]);
  expect(Object.keys(json.paths["/api/upload"]?.post?.responses ?? {})).toContain("400");
});

test("responses to visitors match the OpenAPI document", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const problemsOf = await createSchemaValidator(api);
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
    for (const accept of FORMATS)
      for (const caller of [undefined, token]) {
        const answer = await api.get(path, { accept, token: caller });
        expect(answer.status, path).toBe(200);
        const problems = problemsOf({ call: `GET ${documented}`, answer, accept });
        expect(problems, `${accept} of ${path}`).toBeNull();
      }
  const { json: document } = await api.get<OpenApi>("/api/docs.json");
  const reviews = document.paths["/api/reviews"]?.get;
  expect(reviews?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["product", "status", "user"]),
  );
  expect(Object.keys(reviews?.responses ?? {})).toEqual(expect.arrayContaining(["401", "403"]));
});

test("responses to administrators match the OpenAPI document", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const address = await createAddress({ db, userId: user.id });
  const { cart } = await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
  const { order, lines, invoice } = await createOrder({ db, user, items: [{ product }] });
  const withdrawal = await createWithdrawal({ db, order, lines });
  const review = await createReview({ db, userId: user.id, productId: product.id });
  const problemsOf = await createSchemaValidator(api);
  const expectDocumented = async (call: string, path: string, json?: unknown) => {
    for (const accept of FORMATS) {
      const [verb = ""] = call.split(" ");
      const answer = await api.request(verb, path, {
        token,
        accept,
        ...(json !== undefined && { json }),
      });
      expect([200, 201], `${call}: ${answer.text}`).toContain(answer.status);
      expect(problemsOf({ call, answer, accept }), `${accept} of ${verb} ${path}`).toBeNull();
    }
  };
  const creditNote = await createCreditNote({ db, orderId: order.id });
  const items = {
    "/api/users": user.id,
    "/api/products": product.id,
    "/api/addresses": address.id,
    "/api/carts": cart.id,
    "/api/admin_orders": order.id,
    "/api/admin/invoices": invoice?.id,
    "/api/credit_notes": creditNote.id,
    "/api/withdrawals": withdrawal.id,
    "/api/reviews": review.id,
  };
  await expectDocumented(
    "GET /api/admin_orders/{id}/refunds",
    `/api/admin_orders/${order.id}/refunds`,
  );
  for (const [list, id] of Object.entries(items)) {
    await expectDocumented(`GET ${list}`, `${list}?order[id]=desc`);
    await expectDocumented(`GET ${list}/{id}`, `${list}/${id}`);
  }
  for (const list of ["/api/categories", "/api/tags", "/api/users-without-cart", "/api/orders"])
    await expectDocumented(`GET ${list}`, list);
  await expectDocumented("GET /api/orders", "/api/orders?interval=day");
  await expectDocumented("GET /api/admin/dashboard", "/api/admin/dashboard?period=7d");

  await makeUnpaid(db, invoice?.id);
  const written = {
    "/api/admin/users": user.id,
    "/api/users": user.id,
    "/api/products": product.id,
    "/api/addresses": address.id,
    "/api/carts": cart.id,
    "/api/admin_orders": order.id,
    "/api/admin/invoices_update": invoice?.id,
    "/api/reviews": review.id,
  };
  for (const [path, id] of Object.entries(written))
    await expectDocumented(`PUT ${path}/{id}`, `${path}/${id}`, {});
  const home = { user: user.id, street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };
  await expectDocumented("POST /api/addresses", "/api/addresses", home);
});

test("responses of confirm-order match the document", async ({ api, cards, database: db }) => {
  const problemsOf = await createSchemaValidator(api);
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCart({ api, cards, buyer });
  // The provider's event may have come first.
  for (const statuses of [[201, 200], [200]]) {
    const answer = await confirm({ api, buyer, secret });
    expect(statuses, answer.text).toContain(answer.status);
    const call = "POST /api/cart/confirm-order";
    expect(problemsOf({ call, answer, accept: "application/ld+json" })).toBeNull();
  }
});

test("sensitive changes name the call that takes a password", async ({ api, database: db }) => {
  const { json } = await api.get<OpenApi>("/api/docs.json");
  const { json: hydra } = await api.get("/api/docs.jsonld");
  for (const call of [
    "put /api/account",
    "delete /api/account/delete/{mode}",
    "post /api/2fa/activate",
    "post /api/2fa/verify",
    "post /api/2fa/deactivate",
    "post /api/users",
    "put /api/users/{id}",
    "post /api/admin/users",
    "put /api/admin/users/{id}",
    "delete /api/admin/users/{id}/2fa",
    "delete /api/users/{id}",
  ]) {
    const [verb = "", path = ""] = call.split(" ");
    const operation = json.paths[path]?.[verb];
    expect(Object.keys(operation?.responses ?? {}), call).toContain("403");
    expect(operation?.description, call).toContain("POST /api/reauthenticate");
  }
  expect(JSON.stringify(hydra)).toContain("POST /api/reauthenticate");
  const problemsOf = await createSchemaValidator(api);
  const user = await createUser({ db });
  const answer = await api.post("/api/reauthenticate", {
    token: await staleTokenOf(user),
    json: { password: DEFAULT_PASSWORD },
    accept: "application/json",
  });
  expect(answer.status).toBe(200);
  const call = "POST /api/reauthenticate";
  expect(problemsOf({ call, answer, accept: "application/json" })).toBeNull();
});

test("documents have an ETag, and are 304 where unchanged", async ({ api }) => {
  for (const path of ["/api/docs", "/api/docs.json", "/api/docs.jsonld"]) {
    const { headers } = await api.get(path);
    const again = await api.get(path, { headers: { "If-None-Match": String(headers.etag) } });
    expect([again.status, again.text], path).toEqual([304, ""]);
  }
});

test("the manual names the OpenAPI document, and loads one script", async ({ api }) => {
  const page = await api.get("/api/docs", { accept: "text/html" });
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline|https?:/);
  expect(page.text).toMatch(/<noscript>.*<a href="\/api\/docs\.json">document OpenAPI<\/a>/s);
  const sources = [...page.text.matchAll(/ src="([^"]*)"/g)].map(([, source]) => source ?? "");
  expect(sources).toEqual([expect.stringMatching(/^\/api\/docs\/viewer\.js\?v=[\w-]{12}$/)]);
  const script = await api.get(String(sources[0]), { accept: "*/*" });
  expect(script.status).toBe(200);
  expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(script.text.length).toBeGreaterThan(500_000);
});
