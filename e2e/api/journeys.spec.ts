import { writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { shippingMethods } from "@/db/schema/shipping-methods";
import { writeDemoFiles } from "@/db/seed/files";
import { demoAdmin, demoCustomer } from "@/db/seed/people";
import { shippingSeeds } from "@/db/seed/shipping-methods";
import { codeOf, tokenInMail } from "../accounts";
import { type Cards, paymentIdOf } from "../cards";
import { expect, type Shop, test } from "../fixtures";

// The API's basic calls and payloads, in the order in which people make them, against the demonstration
// shop. The client sends the basic fields only: a client that knows no other fields must be able to do
// everything.

type Json = Record<string, unknown>;

/** The fields that the tests read. Each response has some of them. */
interface ResponseBody extends Json {
  id: number;
  name: string;
  price: number;
  total: number;
  type: string;
  status: string;
  email: string;
  message: string;
  url: string;
  token: string;
  tempToken: string;
  secret: string;
  qrCodeUrl: string;
  clientSecret: string;
  downloadLink: string;
  availability: string;
  orderId: number;
  orderTotal: number;
  invoiceId: number;
  user: ResponseBody;
  product: ResponseBody;
  defaultCategory: ResponseBody;
  shipping: { methods: ResponseBody[] };
  items: ResponseBody[];
  tags: ResponseBody[];
  recentlyViewedProducts: ResponseBody[];
  bestRatedProducts: ResponseBody[];
  "hydra:member": ResponseBody[];
}

/**
 * Makes one call, for example "POST /api/login_check", and expects success. Returns the response's JSON,
 * an object or a list; an empty object if there is none.
 */
type Call = <T = ResponseBody>(
  request: string,
  json?: Json,
  options?: { token?: string },
) => Promise<T>;

/** Calls the shop as one person, after `logIn` with their token. */
class Client {
  token: string | undefined;

  constructor(readonly shop: Shop) {}

  call: Call = async (request, json, { token = this.token } = {}) => {
    const [method = "", path = ""] = request.split(" ");
    const answer = await this.shop.api.request(method, path, {
      ...(token && { token }),
      ...(json && { json }),
    });
    expect([200, 201, 204], `${request}: ${answer.text}`).toContain(answer.status);
    return JSON.parse(answer.text || "{}");
  };

  /** The members of a collection, or a plain list. */
  async list(path: string): Promise<ResponseBody[]> {
    const answer = await this.call<ResponseBody | ResponseBody[]>(`GET ${path}`);
    return Array.isArray(answer) ? answer : answer["hydra:member"];
  }

  /** The status and the message of a refused call. */
  async refusal(request: string, json: Json): Promise<[number, string]> {
    const [method = "", path = ""] = request.split(" ");
    const answer = await this.shop.api.request<{ error: string }>(method, path, { json });
    return [answer.status, answer.json.error];
  }

  async logIn(username: string, password: string): Promise<ResponseBody> {
    const answer = await this.call("POST /api/login_check", { username, password });
    this.token = answer.token;
    return answer;
  }

  /** Downloads a file. Returns its type and its bytes. */
  async download(path: string): Promise<{ type: string | null; bytes: Buffer }> {
    const response = await fetch(new URL(path, this.shop.baseURL), {
      headers: { Authorization: `Bearer ${this.token}` },
    });
    expect(response.status, path).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { type: response.headers.get("content-type"), bytes };
  }

  async upload(path: string, file: File): Promise<ResponseBody> {
    const body = new FormData();
    body.set("file", file);
    const headers = { Authorization: `Bearer ${this.token}` };
    const response = await fetch(this.shop.baseURL + path, { method: "POST", headers, body });
    return response.json();
  }
}

/** The demonstration shop as it is at its first start: with its shipping methods and its files. */
async function openDemonstration(shopWith: () => Promise<Shop>): Promise<Shop> {
  const shop = await shopWith();
  await shop.database.insert(shippingMethods).values([...shippingSeeds]);
  const folder = String(shop.env.DOWNLOADS_DIR);
  await writeDemoFiles(({ name, bytes }) => writeFile(path.join(folder, name), bytes));
  return shop;
}

/** The first item of a list, or the first that matches. */
function findOne(
  list: readonly ResponseBody[],
  matches: (each: ResponseBody) => boolean = () => true,
): ResponseBody {
  const found = list.find(matches);
  if (!found) throw new Error(`It is not among ${JSON.stringify(list)}`);
  return found;
}

const idsOf = (list: readonly ResponseBody[]) => list.map(({ id }) => id);

const PASSWORD = "Une-Phrase-2026!";

test("a visitor looks around, logs in as the demonstration customer, and buys", async ({
  shopWith,
  cards,
}) => {
  const client = new Client(await openDemonstration(shopWith));
  const { call } = client;

  const { id, name } = findOne(await client.list("/api/categories"));
  expect(await call(`GET /api/categories/${id}`)).toMatchObject({ id, name });
  const products = await client.list("/api/products");
  const product = findOne(products);
  for (const query of [
    `search=${encodeURIComponent(product.name)}`,
    `category=${product.defaultCategory.id}`,
    "type=digital",
    "type=physical&min_price=10&max_price=60&price_sort=asc",
    "price_sort=desc&date_sort=oldest",
    "date_sort=newest",
  ]) {
    expect((await client.list(`/api/products?${query}`)).length, query).toBeGreaterThan(0);
  }
  expect(await call(`GET /api/products/${product.id}`)).toMatchObject({ name: product.name });

  const recent = idsOf(products).slice(0, 2).reverse();
  const home = await call(`GET /api/home?${recent.map((each) => `recent[]=${each}`).join("&")}`);
  expect(idsOf(home.recentlyViewedProducts)).toEqual(recent);
  for (const list of ["bestRatedProducts", "cheapestProduct", "mostSoldProducts", "latestProducts"])
    expect(home[list], list).not.toEqual([]);
  const tagged = await client.list(`/api/products?tags.id=${findOne(home.tags).id}`);
  expect(tagged).not.toEqual([]);
  const reviews = await client.list(`/api/reviews?product=${findOne(home.bestRatedProducts).id}`);
  expect(findOne(reviews)).toMatchObject({ status: "VALIDATED" });

  await call("POST /api/contact", {
    nom: "Promenade",
    email: "promenade@exemple.test",
    message: "Livrez-vous le samedi ?",
  });

  await client.logIn(demoCustomer.email, demoCustomer.password);
  const saved = await client.list("/api/addresses_front");
  const idOf = (wanted: string) => findOne(saved, ({ type }) => type === wanted).id;
  await call("DELETE /api/cart");
  const { object } = await chooseProducts(client);
  await call("POST /api/cart/add", { productId: object.id, quantity: 1 });
  const addresses = { shippingAddressId: idOf("shipping"), billingAddressId: idOf("billing") };
  const { orderId, orderTotal } = await pay(client, cards, addresses);
  expect(await call(`GET /api/orders/${orderId}`)).toMatchObject({ total: orderTotal });
});

/** Registers, opens the link of the mail, and logs in. */
async function register(shop: Shop, email: string): Promise<Client> {
  const client = new Client(shop);
  const { call } = client;
  const person = { nom: "Promenade", lastname: "Maëlle", email, password: PASSWORD };
  expect((await call("POST /api/register", person)).message).toBeTruthy();
  const login = { username: email, password: PASSWORD };
  expect(await client.refusal("POST /api/login_check", login)).toEqual([
    401,
    "Votre compte n'est pas encore vérifié.",
  ]);
  const mail = await shop.mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "account-verification" });
  expect(await call(`GET /api/verify-email/${token}`)).toMatchObject({ valid: true });
  expect(await client.logIn(email, PASSWORD)).toMatchObject({
    userName: "Promenade",
    userLastName: "Maëlle",
    roles: ["ROLE_USER"],
  });
  return client;
}

test("a customer registers, keeps their account, and leaves", async ({ shopWith }) => {
  const shop = await openDemonstration(shopWith);
  const email = "promenade@exemple.test";
  const client = await register(shop, email);
  const { call } = client;

  const { user } = await call("GET /api/account");
  expect(user).toMatchObject({ nom: "Promenade", lastname: "Maëlle", email, totpSecret: null });
  const changed = await call("PUT /api/account", { nom: "Balade", lastname: "Maëlle", email });
  expect(changed.user).toMatchObject({ nom: "Balade", email });

  const { qrCodeUrl, secret } = await call("POST /api/2fa/activate");
  expect(qrCodeUrl).toMatch(/^data:image\/png;base64,/);
  expect(await call("POST /api/2fa/verify", { code: codeOf(secret) })).toEqual({ valid: true });
  const { tempToken, ...asked } = await client.logIn(email, PASSWORD);
  expect(asked).toEqual({ "2fa_required": true });
  const code = codeOf(secret, 1);
  const login = await call("POST /api/2fa/verify", { code }, { token: tempToken });
  expect(login).toMatchObject({ valid: true, userName: "Balade", roles: ["ROLE_USER"] });
  client.token = login.token;
  expect((await call("GET /api/account")).user.totpSecret).toBeTruthy();
  await call("POST /api/2fa/deactivate");
  expect((await call("GET /api/account")).user.totpSecret).toBeNull();

  client.token = undefined;
  await call("POST /api/reset-password", { email });
  const mail = await shop.mailbox.waitForMail({ to: email, subject: /mot de passe/ });
  const token = tokenInMail({ mail, page: "reset-password" });
  expect(await call(`GET /api/reset-password/verify/${token}`)).toEqual({ valid: true });
  await call("POST /api/reset-password/confirm", { token, password: `${PASSWORD}2` });
  await client.logIn(email, `${PASSWORD}2`);

  expect(await call("DELETE /api/account/delete/soft")).toHaveProperty("message");
  const again = { username: email, password: `${PASSWORD}2` };
  expect((await client.refusal("POST /api/login_check", again))[0]).toBe(401);
});

/** Adds two addresses and one too many. Returns the ids of the two that are left. */
async function keepAddresses({ call }: Client) {
  const home = { street: "4 quai de la Fosse", city: "Nantes", postalCode: "44000" };
  const flags = { isDefault: false, isDefaultBilling: false };
  const shipping = await call("POST /api/addresses_front", { ...home, type: "shipping", ...flags });
  const billing = await call("POST /api/addresses_front", { ...home, type: "billing", ...flags });
  const spare = await call("POST /api/addresses_front", { ...home, type: "shipping", ...flags });
  const moved = { ...home, street: "6 quai de la Fosse", type: "shipping", ...flags };
  await call(`PUT /api/addresses_front/${shipping.id}`, moved);
  await call(`PUT /api/addresses_front/${shipping.id}/default`);
  await call(`PUT /api/addresses_front/${billing.id}/default-billing`);
  await call(`DELETE /api/addresses_front/${spare.id}`);
  const kept = await call("GET /api/addresses_front");
  expect(kept).toMatchObject([
    { id: shipping.id, street: "6 quai de la Fosse", isDefault: true },
    { id: billing.id, isDefaultBilling: true },
  ]);
  return { shippingAddressId: shipping.id, billingAddressId: billing.id };
}

/** The first available products of the catalogue: a physical one and a digital one. */
async function chooseProducts(
  client: Client,
): Promise<{ object: ResponseBody; file: ResponseBody }> {
  const firstOf = async (type: string) =>
    findOne(
      await client.list(`/api/products?type=${type}&price_sort=asc`),
      ({ availability }) => availability !== "sold_out",
    );
  return { object: await firstOf("physical"), file: await firstOf("digital") };
}

/** Opens the payment with no more than the two addresses, pays it, and confirms the order. */
async function pay({ call }: Client, cards: Cards, addresses: Json): Promise<ResponseBody> {
  const { clientSecret } = await call("POST /api/cart/payment-intent", addresses);
  const paid = await cards.pay(clientSecret);
  expect(paid.json.status, JSON.stringify(paid.json)).toBe("succeeded");
  return call("POST /api/cart/confirm-order", {
    ...addresses,
    paymentIntentId: paymentIdOf(clientSecret),
  });
}

test("a customer buys, gets the invoice and the file, and reviews", async ({ shopWith, cards }) => {
  const shop = await openDemonstration(shopWith);
  const client = await register(shop, "acheteuse@exemple.test");
  const { call } = client;
  const addresses = await keepAddresses(client);
  const { object, file } = await chooseProducts(client);

  await call("POST /api/cart/add", { productId: object.id, quantity: 1 });
  await call("DELETE /api/cart");
  for (const product of [object, file])
    await call("POST /api/cart/add", { productId: product?.id, quantity: 1 });
  const { items } = await call("GET /api/cart");
  const itemOf = ({ id }: ResponseBody) => findOne(items, ({ product }) => product.id === id).id;
  await call(`PUT /api/cart/item/${itemOf(object)}`, { quantity: 2 });
  await call(`DELETE /api/cart/item/${itemOf(file)}`);
  await call("POST /api/cart/add", { productId: file.id, quantity: 1 });
  const cart = await call("GET /api/cart");

  const { orderId, orderTotal } = await pay(client, cards, addresses);
  // The shop chooses the cheapest method that can carry the cart.
  expect(orderTotal).toBeCloseTo(cart.total + findOne(cart.shipping.methods).price, 2);
  expect((await call("GET /api/cart")).items).toEqual([]);

  const order = await call(`GET /api/orders/${orderId}`);
  expect(order).toMatchObject({
    id: orderId,
    total: orderTotal,
    shippingAddress: { street: "6 quai de la Fosse", postalCode: "44000", city: "Nantes" },
    billingAddress: { street: "4 quai de la Fosse" },
    items: [{ quantity: 2 }, { quantity: 1 }],
  });
  expect(findOne(await client.list("/api/my-orders"))).toMatchObject({
    id: orderId,
    total: orderTotal,
    itemsCount: 3,
  });
  const detail = await call(`GET /api/orders_details/${orderId}`);
  const { type, bytes } = await client.download(`/api/invoices/${detail.invoiceId}/download`);
  expect([type, bytes.subarray(0, 5).toString()]).toEqual(["application/pdf", "%PDF-"]);
  const { downloadLink } = findOne(detail.items, (item) => item.product.id === file.id).product;
  expect((await client.download(downloadLink)).bytes.length).toBeGreaterThan(0);

  const purchase = await call(`GET /api/check-purchase/${object.id}`);
  expect(purchase).toEqual({ hasPurchased: true });
  const product = `/api/products/${object.id}`;
  await call("POST /api/reviews_create", { content: "Arrivée entière.", rating: 4, product });
  const mine = async () =>
    (await client.list(`/api/reviews?product=${object.id}`)).filter(
      ({ status }) => status === "PENDING",
    );
  const review = findOne(await mine());
  await call(`PUT /api/reviews_edit/${review.id}`, { content: "Elle ne goutte pas.", rating: 5 });
  expect(await mine()).toMatchObject([{ content: "Elle ne goutte pas.", rating: 5 }]);
  await call(`DELETE /api/reviews/${review.id}`);
  expect(await mine()).toEqual([]);

  expect(await call("DELETE /api/account/delete/hard")).toHaveProperty("message");
});

const personOf = async (client: Client): Promise<ResponseBody> =>
  findOne(await client.list("/api/users"), ({ email }) => email === demoCustomer.email);

async function editCatalogue(client: Client): Promise<void> {
  const { call } = client;
  const tag = await call("POST /api/tags", { name: "Printemps", color: "#3b82f6" });
  await call(`PUT /api/tags/${tag.id}`, { name: "Été", color: "#ffcc00" });
  const category = await call("POST /api/categories", { name: "Jardin", color: "#3b82f6" });
  await call(`PUT /api/categories/${category.id}`, { name: "Jardins", color: "#00cc66" });
  const lists = [
    ["/api/tags", "Été"],
    ["/api/categories", "Jardins"],
  ] as const;
  for (const [path, name] of lists)
    expect((await client.list(path)).map((each) => each.name)).toContain(name);

  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const picture = new File([new Uint8Array(bytes)], "arrosoir.png", { type: "image/png" });
  const { url } = await client.upload("/api/upload", picture);
  const common = {
    name: "Arrosoir",
    price: 24.9,
    description: "Dix litres.",
    image: url.replace(/^\/images\//, ""),
    defaultCategory: `/api/categories/${category.id}`,
    categories: [`/api/categories/${category.id}`],
    tags: [`/api/tags/${tag.id}`],
  };
  const object = {
    ...common,
    product_type: "physical",
    characteristics: { Matière: "Zinc", Contenance: "10 l" },
  };
  const physical = await call("POST /api/physical_products", object);
  const dearer = { ...object, price: 29.9 };
  expect(await call(`PUT /api/physical_products/${physical.id}`, dearer)).toMatchObject({
    price: 29.9,
    characteristics: { Matière: "Zinc", Contenance: "10 l" },
  });
  const guide = {
    ...common,
    name: "Guide du jardin",
    product_type: "digital",
    downloadLink: "/downloads/guide.pdf",
    filesize: 1200,
    filetype: "PDF",
  };
  const digital = await call("POST /api/digital_products", guide);
  const larger = { ...guide, filesize: 1500 };
  expect(await call(`PUT /api/digital_products/${digital.id}`, larger)).toMatchObject({
    filesize: 1500,
    downloadLink: "/downloads/guide.pdf",
  });
  expect(await client.list("/api/products?search=Arrosoir")).toMatchObject([
    { id: physical.id, tags: [{ name: "Été" }], defaultCategory: { name: "Jardins" } },
  ]);

  const person = await personOf(client);
  const opinion = {
    content: "Ne goutte pas.",
    rating: 4,
    product: `/api/products/${physical.id}`,
    user: `/api/users/${person.id}`,
    status: "PENDING",
  };
  const review = await call("POST /api/reviews", opinion);
  const validated = { ...opinion, status: "VALIDATED" };
  expect(await call(`PUT /api/reviews/${review.id}`, validated)).toMatchObject({
    status: "VALIDATED",
  });
  expect((await client.list("/api/reviews")).length).toBeGreaterThan(0);
  await call(`DELETE /api/reviews/${review.id}`);

  await call(`DELETE /api/products/${physical.id}`);
  await call(`DELETE /api/admin/categories/${category.id}/delete-with-products`);
  await call(`DELETE /api/tags/${tag.id}`);
  expect(await client.list("/api/products?search=Guide+du+jardin")).toEqual([]);
}

async function keepUsers(client: Client): Promise<void> {
  const { call } = client;
  const person = {
    email: "nouvelle@exemple.test",
    name: "Nouvelle",
    lastname: "Cliente",
    roles: ["ROLE_USER"],
    resetToken: "",
    confirmationToken: "",
    isVerified: true,
    isDeleted: false,
  };
  const user = await call("POST /api/admin/users", { ...person, password: PASSWORD });
  const asAdmin = { ...person, name: "Renommée", roles: ["ROLE_USER", "ROLE_ADMIN"] };
  expect(await call(`PUT /api/admin/users/${user.id}`, asAdmin)).toMatchObject({
    name: "Renommée",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
  });
  await new Client(client.shop).logIn(person.email, PASSWORD);

  const place = {
    street: "1 rue Crébillon",
    city: "Nantes",
    postalCode: "44000",
    user: `/api/users/${user.id}`,
    type: "shipping",
    isDefault: true,
    isDefaultBilling: false,
  };
  const address = await call("POST /api/addresses", place);
  const other = { ...place, type: "billing", isDefault: false, isDefaultBilling: true };
  expect(await call(`PUT /api/addresses/${address.id}`, other)).toMatchObject({
    type: "billing",
    isDefaultBilling: true,
  });
  const listed = await client.list("/api/addresses");
  const { user: owner } = findOne(listed, ({ id }) => id === address.id);
  expect(owner).toMatchObject({ name: "Renommée" });
  await call(`DELETE /api/addresses/${address.id}`);
  await call(`DELETE /api/users/${user.id}`);
}

async function writeSales(client: Client): Promise<void> {
  const { call } = client;
  const product = findOne(await client.list("/api/products"));
  const withoutCart = findOne(await client.list("/api/users-without-cart"));
  const items = [{ product: String(product.id), quantity: 1 }];
  const cart = await call("POST /api/carts", { user: String(withoutCart.id), items });
  const more = { user: String(withoutCart.id), items: [{ ...items[0], quantity: 3 }] };
  expect(await call(`PUT /api/carts/${cart.id}`, more)).toMatchObject({
    user: { id: withoutCart.id },
    items: [{ product: { id: product.id }, quantity: 3 }],
  });
  expect((await client.list("/api/carts")).length).toBeGreaterThan(0);
  await call(`DELETE /api/carts/${cart.id}`);

  const person = await personOf(client);
  const flat = {
    user: String(person.id),
    orderItems: [{ product: String(product.id), quantity: 1 }],
    total: "49.90",
    shippingStreet: "1 rue Crébillon",
    shippingCity: "Nantes",
    shippingPostalCode: "44000",
    billingStreet: "1 rue Crébillon",
    billingCity: "Nantes",
    billingPostalCode: "44000",
    invoice_pdf_path: "commande.pdf",
  };
  const order = await call("POST /api/admin_orders", flat);
  expect(await call(`PUT /api/admin_orders/${order.id}`, { ...flat, total: "45" })).toMatchObject({
    total: 45,
    shippingAddress: { shippingStreet: "1 rue Crébillon", shippingCity: "Nantes" },
  });
  const listed = await client.list("/api/admin_orders");
  expect(idsOf(listed)).toContain(order.id);
  // The fields for the chart, and for choosing an invoice's order.
  expect(findOne(await client.list("/api/orders"))).toMatchObject({
    date: expect.any(String),
    total: expect.any(Number),
  });

  const written = {
    totalAmount: 45,
    user: String(person.id),
    pdfPath: "a.pdf",
    paymentId: "virement",
  };
  const invoice = await call("POST /api/admin/invoices_create", {
    ...written,
    order: String(order.id),
  });
  const corrected = { ...written, totalAmount: 40 };
  expect(await call(`PUT /api/admin/invoices_update/${invoice.id}`, corrected)).toMatchObject({
    totalAmount: 40,
    user: { name: demoCustomer.lastName, lastname: demoCustomer.firstName },
    order: { id: order.id },
  });
  expect(idsOf(await client.list("/api/admin/invoices"))).toContain(invoice.id);
  const { type } = await client.download(`/api/invoices/${invoice.id}/download`);
  expect(type).toBe("application/pdf");
  await call(`DELETE /api/admin/invoices_delete/${invoice.id}`);
  await call(`DELETE /api/admin_orders/${order.id}`);
}

test("staff edit the catalogue, keep users, and write carts, orders and invoices", async ({
  shopWith,
}) => {
  const client = new Client(await openDemonstration(shopWith));
  await client.logIn(demoAdmin.email, demoAdmin.password);
  await test.step("catalogue", () => editCatalogue(client));
  await test.step("users and their addresses", () => keepUsers(client));
  await test.step("carts, orders and invoices", () => writeSales(client));
});
