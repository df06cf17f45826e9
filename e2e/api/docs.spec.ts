import { type Api as HydraApi, parseHydraDocumentation } from "@api-platform/api-doc-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { staleTokenOf } from "../accounts";
import { makeUnpaid, newAdmin } from "../admin";
import type { Api, ApiRequest } from "../api-client";
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
  for (const { name, operations } of parsed.resources ?? [])
    expect(
      operations?.map(({ method, type }) => `${type} ${method}`),
      name,
    ).toContain("list GET");

  // Types, relations and filters of a product.
  const product = resourceOf(parsed, "products");
  const [member = {}] = (await api.get<object[]>("/api/products", { accept: FORMATS[1] })).json;
  expect(product.readableFields?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(member)),
  );
  const fields = Object.fromEntries((product.fields ?? []).map((field) => [field.name, field]));
  expect(fields).toMatchObject({
    id: { type: "integer" },
    name: { type: "string" },
    price: { type: "decimal" },
    defaultCategory: { maxCardinality: 1 },
    tags: { maxCardinality: null },
  });
  expect(fields.defaultCategory?.embedded).toBe(resourceOf(parsed, "categories"));
  expect(fields.tags?.embedded).toBe(resourceOf(parsed, "tags"));
  expect(product.operations?.map(({ type }) => type)).toContain("show");
  const parameters = (await product.getParameters?.())?.map(({ variable }) => variable);
  expect(parameters).toEqual(
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
        responses: Record<string, unknown>;
      }
    >
  >;
}

const FORMATS = ["application/ld+json", "application/json"] as const;

/** Makes calls that must succeed, in both formats, with responses that the OpenAPI document describes. */
async function createDocumentedCalls(api: Api) {
  const { json: document } = await api.get<OpenApi>("/api/docs.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "docs");
  const expectValid = (
    { verb, route, accept }: { verb: string; route: string; accept: string },
    answer: { status: number; json: unknown; text: string },
  ) => {
    expect([200, 201], `${verb} ${route}: ${answer.text}`).toContain(answer.status);
    const call = ["paths", route, verb.toLowerCase()];
    const steps = [...call, "responses", String(answer.status), "content", accept, "schema"];
    const escaped = steps.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"));
    const validate = ajv.compile({ $ref: `docs#/${escaped.join("/")}` });
    validate(answer.json);
    expect(validate.errors ?? null, `${accept} of ${verb} ${route}`).toBeNull();
  };
  /** @param call with the parameters' values in braces: `GET /api/products/{7}` */
  const expectDocumented = async (call: string, request: ApiRequest = {}) => {
    const [verb = "", path = ""] = call.split(" ");
    const route = path.replace(/\{\d+\}/, "{id}").replace(/\?.*/, "");
    for (const accept of FORMATS) {
      const answer = await api.request(verb, path.replace(/[{}]/g, ""), { ...request, accept });
      expectValid({ verb, route, accept }, answer);
    }
  };
  return { document, expectValid, expectDocumented };
}

test("responses match the OpenAPI document", async ({ api, database: db }) => {
  const { token } = await newAdmin(db);
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const address = await createAddress({ db, userId: user.id });
  const { cart } = await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
  const { order, lines, invoice } = await createOrder({ db, user, items: [{ product }] });
  const withdrawal = await createWithdrawal({ db, order, lines });
  const review = await createReview({ db, userId: user.id, productId: product.id });
  const creditNote = await createCreditNote({ db, orderId: order.id });
  const { document, expectDocumented } = await createDocumentedCalls(api);

  for (const path of [
    "products",
    "products/{1}",
    "categories",
    "categories/{1}",
    "tags",
    "tags/{1}",
  ])
    for (const caller of [undefined, token])
      await expectDocumented(`GET /api/${path}`, { ...(caller && { token: caller }) });
  for (const path of ["reviews?product=1", "home"]) await expectDocumented(`GET /api/${path}`);
  const reviews = document.paths["/api/reviews"]?.get;
  expect(reviews?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["product", "status", "user"]),
  );
  expect(Object.keys(reviews?.responses ?? {})).toEqual(expect.arrayContaining(["401", "403"]));

  for (const [list, id] of Object.entries({
    users: user.id,
    products: product.id,
    addresses: address.id,
    carts: cart.id,
    admin_orders: order.id,
    "admin/invoices": invoice?.id,
    credit_notes: creditNote.id,
    withdrawals: withdrawal.id,
    reviews: review.id,
  })) {
    await expectDocumented(`GET /api/${list}?order[id]=desc`, { token });
    await expectDocumented(`GET /api/${list}/{${id}}`, { token });
  }
  for (const path of [
    ...["users-without-cart", "orders", "orders?interval=day", "admin/dashboard?period=7d"],
    `admin_orders/{${order.id}}/refunds`,
  ])
    await expectDocumented(`GET /api/${path}`, { token });

  await makeUnpaid(db, invoice?.id);
  for (const [path, id] of Object.entries({
    "admin/users": user.id,
    users: user.id,
    products: product.id,
    addresses: address.id,
    carts: cart.id,
    admin_orders: order.id,
    "admin/invoices_update": invoice?.id,
    reviews: review.id,
  }))
    await expectDocumented(`PUT /api/${path}/{${id}}`, { token, json: {} });
  const json = { user: user.id, street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };
  await expectDocumented("POST /api/addresses", { token, json });
});

test("responses of confirm-order and reauthenticate match the document", async ({
  api,
  cards,
  database: db,
}) => {
  const { expectValid } = await createDocumentedCalls(api);
  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCart({ api, cards, buyer });
  const call = { verb: "POST", accept: FORMATS[0] };
  // Created, and as it was.
  for (let turn = 0; turn < 2; turn++)
    expectValid(
      { ...call, route: "/api/cart/confirm-order" },
      await confirm({ api, buyer, secret }),
    );
  const answer = await api.post("/api/reauthenticate", {
    token: await staleTokenOf(await createUser({ db })),
    json: { password: DEFAULT_PASSWORD },
  });
  expectValid({ ...call, route: "/api/reauthenticate" }, answer);
});

test("the OpenAPI document lists every call, its parameters and its errors", async ({ api }) => {
  const { headers, json } = await api.get<OpenApi>("/api/docs.json");
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(json.openapi).toBe("3.1.0");
  const operation = (verb: string, path: string) => json.paths[`/api/${path}`]?.[verb];
  for (const [verb, path, ...statuses] of [
    ["get", "products", "200", "400", "406"],
    ["get", "products/{id}", "200", "404", "406"],
    ["post", "contact", "201", "303", "400", "413", "415", "422", "429"],
    ["post", "cart/confirm-order", "200", "201"],
    ["post", "upload", "400"],
  ] as const)
    expect(Object.keys(operation(verb, path)?.responses ?? {}), path).toEqual(
      expect.arrayContaining(statuses),
    );
  expect(operation("get", "products")?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["search", "min_price", "tags.id", "page", "itemsPerPage"]),
  );
  const contact = operation("post", "contact");
  expect(contact?.requestBody?.content).toHaveProperty(["application/x-www-form-urlencoded"]);
  expect(contact?.responses).toMatchObject({ 422: { content: { "text/html": {} } } });
  // The load balancer's check has the same schema in both cases.
  const ready = operation("get", "ready")?.responses;
  expect(ready?.[503]).toEqual(ready?.[200]);

  // Sensitive changes name the call that takes a password.
  for (const call of [
    ...["put account", "delete account/delete/{mode}"],
    ...["post 2fa/activate", "post 2fa/verify", "post 2fa/deactivate"],
    ...["post users", "put users/{id}", "delete users/{id}"],
    ...["post admin/users", "put admin/users/{id}", "delete admin/users/{id}/2fa"],
  ]) {
    const [verb = "", path = ""] = call.split(" ");
    expect(operation(verb, path)?.responses, call).toHaveProperty("403");
    expect(operation(verb, path)?.description, call).toContain("POST /api/reauthenticate");
  }
  expect((await api.get("/api/docs.jsonld")).text).toContain("POST /api/reauthenticate");
});

test("documents have an ETag; the manual names the OpenAPI document, and loads one script", async ({
  api,
}) => {
  for (const path of ["/api/docs", "/api/docs.json", "/api/docs.jsonld"]) {
    const { headers } = await api.get(path);
    const again = await api.get(path, { headers: { "If-None-Match": String(headers.etag) } });
    expect([again.status, again.text], path).toEqual([304, ""]);
  }
  const page = await api.get("/api/docs", { accept: "text/html" });
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
  expect(page.text).toMatch(/<noscript>.*<a href="\/api\/docs\.json">document OpenAPI<\/a>/s);
  const sources = [...page.text.matchAll(/ src="([^"]*)"/g)].map(([, source]) => source ?? "");
  expect(sources).toEqual([expect.stringMatching(/^\/api\/docs\/viewer\.js\?v=[\w-]{12}$/)]);
  const script = await api.get(String(sources[0]), { accept: "*/*" });
  expect(script.status).toBe(200);
  expect(script.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(script.text.length).toBeGreaterThan(500_000);
});
