import { sql } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { codeOf, type Login, tokenInMail, tokenOf } from "../accounts";
import { confirm, payCart } from "../buying";
import { expect, test } from "../fixtures";
import { logLines } from "../log-lines";

// At its most verbose level, the log says enough to find what happened, and contains no personal data.
// All that people enter in this test contains one mark. No line may contain the mark, nor any token, code
// or key.

const MARK = "zqxmark";
const PASSWORD = `Zqxmark-2026!`;
const JSON_TYPE = { "Content-Type": "application/json" };
const CARD = "4242 4242 4242 4242";

// Events go to the worker's shop again, as later tests expect.
test.afterEach(({ cards, shop }) => cards.sendWebhooksTo(shop.baseURL));

test("the log contains neither personal data nor secrets", async ({ shopWith, cards }) => {
  const shop = await shopWith({ env: { LOG_LEVEL: "trace" } });
  const { api, database, mailbox } = shop;
  await cards.sendWebhooksTo(shop.baseURL);
  const secrets: string[] = [PASSWORD, CARD, CARD.replaceAll(" ", "")];
  const email = `${MARK}@exemple.test`;

  // An account, its confirmation, two wrong logins and a right one.
  const person = { nom: "Zqxmarkdupont", lastname: "Zqxmarkelise", email, password: PASSWORD };
  expect((await api.post("/api/register", { json: person })).status).toBe(201);
  const welcome = await mailbox.waitForMail({ to: email });
  const confirmation = tokenInMail({ mail: welcome, page: "account-verification" });
  secrets.push(confirmation);
  expect((await api.get(`/api/verify-email/${confirmation}`)).status).toBe(200);
  expect((await api.post("/api/register", { json: person })).status).toBe(422);
  await api.get(`/account-verification/${confirmation}?email=${email}`);
  for (const wrong of [
    { username: email, password: `${PASSWORD}x` },
    { username: `x${email}`, password: PASSWORD },
  ])
    expect((await api.post("/api/login_check", { json: wrong })).status).toBe(401);
  const right = { username: email, password: PASSWORD };
  const { token } = (await api.post<Login>("/api/login_check", { json: right })).json;
  secrets.push(token);

  // Two-factor authentication, and a forgotten password.
  const { secret, recoveryCodes } = (
    await api.post<{ secret: string; recoveryCodes: string[] }>("/api/2fa/activate", { token })
  ).json;
  secrets.push(secret, ...recoveryCodes);
  const code = codeOf(secret);
  await api.post("/api/2fa/verify", { token, json: { code } });
  const { tempToken } = (await api.post<{ tempToken: string }>("/api/login_check", { json: right }))
    .json;
  secrets.push(tempToken);
  await api.post("/api/2fa/verify", { token: tempToken, json: { code: recoveryCodes[0] } });
  await api.post("/api/reset-password", { json: { email } });
  const forgotten = await mailbox.waitForMail({ to: email, subject: /Choisissez/ });
  const reset = tokenInMail({ mail: forgotten, page: "reset-password" });
  secrets.push(reset);
  await api.get(`/api/reset-password/verify/${reset}`);
  await api.get(`/reset-password/${reset}`);

  // An address, a purchase, and a message with data that should never be in it.
  const street = "1 rue Zqxmark";
  const address = await api.post<{ id: number }>("/api/addresses_front", {
    token,
    json: { street, city: "Zqxmarkville", postalCode: "75001", type: "shipping" },
  });
  expect(address.status, address.text).toBe(201);
  const product = await createProduct({ db: database });
  await api.post("/api/cart/add", { token, json: { productId: product.id, quantity: 1 } });
  const { id: addressId } = address.json;
  const buyer = { id: 0, email, token, addressId };
  const payment = await payCart({ api, buyer, cards });
  secrets.push(payment);
  expect((await confirm({ api, buyer, secret: payment })).status).toBeLessThan(300);
  await api.post("/api/contact", {
    json: { nom: MARK, email, message: `Ma carte est ${CARD}, ${MARK}` },
  });
  await mailbox.waitForMail({ subject: /zqxmark/i });

  // The back office: searches for people, changes to them, and values that PostgreSQL refuses.
  const admin = await tokenOf(await createAdmin({ db: database }));
  secrets.push(admin);
  await api.get(`/api/admin/users?search=${MARK}&email=${email}`, { token: admin });
  await api.post("/api/admin/users", { token: admin, json: { ...person, name: person.nom } });
  await api.post("/api/tags", { token: admin, json: { name: `${MARK}\u0000`, color: MARK } });
  await api.get(`/api/products?search=${MARK}\u0000`.replace("\u0000", "%00"), { token: admin });

  // Malformed, unknown and forged requests.
  await api.post("/api/register", { body: `{"email": "${email}"`, headers: JSON_TYPE });
  await api.get(`/api/${email}`);
  await api.get(`/${MARK}@exemple.test/?${MARK}`);
  await api.get(`/%E0%A4%A/${MARK}@x.fr`);
  await api.get("/api/account", { token: `${token}x`, headers: { Cookie: `session=${MARK}` } });
  const body = `{"${MARK}": 1}`;
  for (const signature of [MARK, cards.sign("other"), cards.sign(body, { secondsAgo: 400 })])
    await api.post("/api/stripe/webhook", { body, headers: { "Stripe-Signature": signature } });
  await api.get("/api/tags", { headers: { "X-Request-Id": `${MARK}-0001`, "User-Agent": MARK } });

  // Errors in the shop: queries fail, with the search text as their values.
  await database.execute(sql`alter table products rename to products_away`);
  const failed = await api.get<{ requestId: string; error: string }>(
    `/api/products?search=${MARK}`,
    { mayFail: true },
  );
  const page = await api.get(`/products?search=${MARK}`, { mayFail: true });
  const added = await api.post(`/api/cart/add?${MARK}`, {
    token,
    json: { productId: product.id, quantity: 1 },
    mayFail: true,
  });
  for (const { status } of [failed, page, added]) expect(status).toBe(500);
  expect(failed.text).not.toMatch(/products_away|select |Error:|node_modules/);
  expect(failed.json.error).toBe("Une erreur interne est survenue. Veuillez réessayer plus tard.");

  const { headers } = await api.get("/api/health");
  const ids = () => logLines(shop).map(({ requestId }) => requestId);
  await expect.poll(ids).toContain(headers["x-request-id"]);
  const log = shop.log().toLowerCase();
  expect(log).not.toContain(MARK);
  const { AUTH_SECRET = "", CRON_SECRET = "", DATABASE_URL = "" } = shop.env;
  for (const each of [...secrets, AUTH_SECRET, CRON_SECRET, new URL(DATABASE_URL).password])
    expect(log).not.toContain(each.slice(0, 24).toLowerCase());

  // Each line about a request still contains the request's id, which the caller gets too.
  const lines = logLines(shop);
  expect(lines.length).toBeGreaterThan(30);
  const answers = lines.filter(({ msg }) => msg === "answered");
  for (const line of answers) expect(line.requestId).toMatch(/^[\w-]{36}$/);
  expect(answers).toContainEqual(
    expect.objectContaining({ method: "GET", path: "/api/verify-email/…", status: 200 }),
  );
  expect(failed.headers["x-request-id"]).toBe(failed.json.requestId);
  const ofFailed = lines.filter(({ requestId }) => requestId === failed.json.requestId);
  expect(ofFailed.map(({ msg }) => msg)).toEqual(["request failed", "answered"]);
  expect(ofFailed.find(({ err }) => err)?.err?.message).toContain("Failed query");
  const reasons = lines.filter(({ msg }) => msg.startsWith("payment event refused"));
  expect(reasons.map(({ reason }) => reason)).toEqual([
    "No signatures found matching the expected signature for payload",
    "Timestamp outside the tolerance zone",
  ]);
});

test("logins and denied access are logged without personal data", async ({ shopWith }) => {
  const shop = await shopWith({ database: "shared", env: { LOG_LEVEL: "info" } });
  const { api, database } = shop;
  const user = await createUser({ db: database });
  const right = { username: user.email, password: DEFAULT_PASSWORD };
  const token = (await api.post<Login>("/api/login_check", { json: right })).json.token;
  const wrong = { ...right, password: "Autre-2026!" };
  const answers = [
    await api.post("/api/login_check", { json: wrong }),
    await api.get("/api/account"),
    await api.get(`/api/users?search=${user.lastName}`, { token }),
    await api.post("/api/2fa/verify", { token, json: { code: "000000" } }),
  ];
  const told = () =>
    logLines(shop).filter(({ msg }) => /^(?:session opened|(?:code )?refused)$/.test(msg));
  await expect.poll(() => told().length).toBe(answers.length + 1);
  expect(told().map(({ msg, method, path, status }) => [msg, method, path, status])).toEqual([
    ["session opened", undefined, undefined, undefined],
    ["refused", "POST", "/api/login_check", 401],
    ["refused", "GET", "/api/account", 401],
    ["refused", "GET", "/api/users", 403],
    ["code refused", undefined, undefined, undefined],
  ]);
  const [, ...refusals] = told().map(({ requestId }) => requestId);
  expect(refusals).toEqual(answers.map(({ headers }) => headers["x-request-id"]));
  expect(JSON.stringify(told())).not.toContain(user.lastName);
});

test("the log warns of a proxy that TRUST_PROXY does not count, and believes none", async ({
  shopWith,
}) => {
  const given = "0af7651916cd43dd8448eb211c80319c";
  const json = { nom: "Martin", email: "camille@exemple.test", message: "Bonjour, une question." };
  for (const [TRUST_PROXY, warnings] of [
    ["0", 1],
    ["1", 0],
    ["2", 1],
  ] as const) {
    const shop = await shopWith({ database: "shared", env: { TRUST_PROXY } });
    for (let i = 0; i < 3; i++)
      await shop.api.post("/api/contact", { headers: { "X-Forwarded-For": "203.0.113.9" }, json });
    const warning = "limits count a proxy instead of its visitors";
    const told = logLines(shop).filter(({ msg }) => msg.startsWith(warning));
    expect(told, TRUST_PROXY).toHaveLength(warnings);

    const idOf = async (id: string) =>
      (await shop.api.get("/api/health", { headers: { "X-Request-Id": id } })).headers[
        "x-request-id"
      ];
    if (TRUST_PROXY === "0") expect(await idOf(given)).not.toBe(given);
    else expect(await idOf(given)).toBe(given);
    for (const bad of ["short", "a b c d e f g", "x".repeat(65), "<script>12345", "é".repeat(9)])
      expect(await idOf(encodeURI(bad)), bad).toMatch(/^[0-9a-f-]{36}$/);
  }
});
