import { eq } from "drizzle-orm";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import {
  isOpen,
  type Login,
  logIn,
  median,
  newEmail,
  type Refusal,
  tokenInMail,
  tokenOf,
} from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";

const WRONG = "Email ou mot de passe incorrect";
const NOT_VERIFIED = "Votre compte n'est pas encore vérifié.";

const attempt = (api: Api, username: string, password: string, headers = {}) =>
  api.post<Refusal & Login>("/api/login_check", { json: { username, password }, headers });

test("the right password opens a session, in any case", async ({ api, database }) => {
  const user = await createUser({
    db: database,
    email: newEmail("Zoe.Durand"),
    firstName: "Zoé",
    lastName: "Durand",
  });
  for (const username of [user.email.toUpperCase(), `  ${user.email.toLowerCase()} `]) {
    const { status, headers, json } = await attempt(api, username, DEFAULT_PASSWORD);
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(json).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      userId: user.id,
      userName: "Durand",
      userLastName: "Zoé",
      roles: ["ROLE_USER"],
    });
    const account = await api.get("/api/account", { token: json.token });
    expect(account.json).toMatchObject({ user: { id: user.id, email: user.email } });
  }
});

test("failed logins all get the same answer", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const closed = await createUser({ db: database, isDeleted: true });
  const unverified = await createUser({ db: database, isVerified: false });
  const answers = [
    await attempt(api, newEmail("inconnue"), DEFAULT_PASSWORD),
    await attempt(api, user.email, "Motdepasse-2026?"),
    await attempt(api, closed.email, DEFAULT_PASSWORD),
    await attempt(api, closed.email, "Motdepasse-2026?"),
    await attempt(api, unverified.email, "Motdepasse-2026?"),
    await attempt(api, "pas une adresse", DEFAULT_PASSWORD),
    await attempt(api, "' or 1=1 --", DEFAULT_PASSWORD),
  ];
  for (const { status, headers, text } of answers) {
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(text).toBe(answers[0]?.text);
  }
  expect(answers[0]?.json).toMatchObject({ code: 401, message: WRONG, error: WRONG });
});

test("an unknown e-mail address takes as long as a wrong password", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const time = async (username: string) => {
    const start = performance.now();
    await attempt(api, username, "Motdepasse-2026?");
    return performance.now() - start;
  };
  await time(user.email);
  await time(newEmail());
  const known: number[] = [];
  const unknown: number[] = [];
  // Alternating, each equally often first, so that other load affects both alike.
  for (let round = 0; round < 10; round++) {
    known.push(await time(user.email));
    unknown.push(await time(newEmail()), await time(newEmail()));
    known.push(await time(user.email));
  }
  const ratio = median(unknown) / median(known);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.7);
});

test("both fields are required", async ({ api }) => {
  const message = "Ce champ est obligatoire.";
  const { status, json } = await attempt(api, " ", "");
  expect([status, json.violations]).toEqual([
    422,
    ["username", "password"].map((propertyPath) => ({ propertyPath, message })),
  ]);
});

test("an unverified account gets another link", async ({ api, database, mailbox }) => {
  const user = await createUser({
    db: database,
    isVerified: false,
    confirmationTokenHash: newEmail("digest"),
    confirmationTokenExpiresAt: new Date(Date.now() + 3_600_000),
  });
  const isOwn = eq(users.id, user.id);
  const { status, json } = await attempt(api, user.email, DEFAULT_PASSWORD);
  expect(status).toBe(401);
  expect(json).toMatchObject({ code: 401, message: NOT_VERIFIED });
  expect(json).not.toHaveProperty("token");
  // The first link is still valid: no other link is sent.
  const [after] = await database.select().from(users).where(isOwn);
  expect(after?.confirmationTokenHash).toBe(user.confirmationTokenHash);

  const confirmationTokenExpiresAt = new Date(Date.now() - 1000);
  await database.update(users).set({ confirmationTokenExpiresAt }).where(isOwn);
  await attempt(api, user.email, "Motdepasse-2026?");
  expect(await queuedMails(database, user.email)).toEqual([]);
  for (let login = 0; login < 2; login++)
    expect((await attempt(api, user.email, DEFAULT_PASSWORD)).json.message).toBe(NOT_VERIFIED);
  expect(await queuedMails(database, user.email)).toHaveLength(1);
  const mail = await mailbox.waitForMail({ to: user.email });
  const token = tokenInMail({ mail, page: "account-verification" });
  expect((await api.get(`/api/verify-email/${token}`)).json).toMatchObject({ valid: true });
  expect((await attempt(api, user.email, DEFAULT_PASSWORD)).status).toBe(200);
});

test("a login leaves a device cookie, which authorizes nothing", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const { headers } = await attempt(api, user.email, DEFAULT_PASSWORD);
  const cookies = headers["set-cookie"] ?? [];
  expect(cookies).toEqual([
    expect.stringMatching(
      /^device=[0-9a-f-]{36}\.\d{10}\.[0-9a-f]{64}; Path=\/api; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const Cookie = String(cookies[0]?.split(";", 1)[0]);
  expect((await api.get("/api/account", { headers: { Cookie } })).status).toBe(401);
  const refused = await attempt(api, user.email, "faux", { Cookie });
  expect([refused.status, refused.headers["set-cookie"]]).toEqual([401, undefined]);
});

test("a logout ends every session of the user, and nobody else's", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const other = await createUser({ db: database });
  const first = await logIn({ api, email: user.email });
  const second = await logIn({ api, email: user.email });
  const answer = await api.post("/api/logout", { token: first.token });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect(await isOpen({ api, token: first.token })).toBe(false);
  expect(await isOpen({ api, token: second.token })).toBe(false);
  expect(await isOpen({ api, token: await tokenOf(other) })).toBe(true);
  expect((await api.post("/api/logout", { token: first.token })).status).toBe(401);
  expect(await isOpen({ api, token: (await logIn({ api, email: user.email })).token })).toBe(true);
});

test.describe("limits", () => {
  const from = (ip: string) => ({ "X-Forwarded-For": ip });

  /** So many concurrent attempts, which are all counted. */
  async function failTimes(times: number, fail: () => ReturnType<typeof attempt>) {
    const answers = await Promise.all(Array.from({ length: times }, fail));
    expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(401));
  }

  test("ten failures in a row lock an account for a while", async ({ limited }) => {
    const { api, database } = limited;
    const user = await createUser({ db: database });
    // A success resets the failures, and is not counted.
    await failTimes(9, () => attempt(api, user.email, "faux"));
    for (let success = 0; success < 11; success++)
      expect((await attempt(api, user.email, DEFAULT_PASSWORD)).status).toBe(200);
    for (const email of [user.email, newEmail("inconnue")]) {
      // Failures count from any network, for any spelling of the e-mail address, also concurrently.
      const failures = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const username = index % 2 ? email : ` ${email.toUpperCase()}`;
          return attempt(api, username, "faux", from(`192.0.2.${index}`));
        }),
      );
      const statuses = failures.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
      const refused = await attempt(api, email, DEFAULT_PASSWORD, from("192.0.2.99"));
      expect(refused.status).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
      expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(900);
      expect(refused.json.error).toBe("Trop de tentatives. Réessayez dans 15 minutes.");
    }
    const other = await createUser({ db: database });
    expect((await attempt(api, other.email, DEFAULT_PASSWORD)).status).toBe(200);
  });

  /** The device cookie of an answer, as a browser sends it back. */
  const deviceOf = (headers: { "set-cookie"?: string[] }) => {
    const [cookie = ""] = headers["set-cookie"] ?? [];
    return { Cookie: String(cookie.split(";", 1)[0]) };
  };

  test("failed logins from a known device are counted separately", async ({ limited }) => {
    const { api, database } = limited;
    const user = await createUser({ db: database });
    const first = await attempt(api, user.email, DEFAULT_PASSWORD);
    const device = deviceOf(first.headers);
    const others = "192.0.2.1";
    await failTimes(10, () => attempt(api, user.email, "faux", from(others)));
    expect((await attempt(api, user.email, DEFAULT_PASSWORD)).status).toBe(429);
    // Failures of other users do not count for the device, not even those from its own network.
    await failTimes(50, () => attempt(api, newEmail(), "faux", from("203.0.113.9")));
    const other = await createUser({ db: database });
    const stranger = await attempt(api, other.email, DEFAULT_PASSWORD, from("203.0.113.9"));
    expect(stranger.status, "a network with fifty failures").toBe(429);
    const known = { ...device, ...from("203.0.113.9") };
    const login = await attempt(api, ` ${user.email.toUpperCase()}`, DEFAULT_PASSWORD, known);
    expect(login.status).toBe(200);
    // The device's success does not give others new attempts.
    expect((await attempt(api, user.email, "faux")).status).toBe(429);
    // The device has ten attempts too, even when it uses them concurrently.
    const failures = await Promise.all(
      Array.from({ length: 15 }, () => attempt(api, user.email, "faux", known)),
    );
    expect(failures.filter(({ status }) => status === 401)).toHaveLength(10);
    expect((await attempt(api, user.email, DEFAULT_PASSWORD, known)).status).toBe(429);
    // The cookie of a later login still works. Another account's cookie does not help.
    expect((await attempt(api, user.email, DEFAULT_PASSWORD, deviceOf(login.headers))).status).toBe(
      200,
    );
    const foreign = deviceOf((await attempt(api, other.email, DEFAULT_PASSWORD)).headers);
    expect((await attempt(api, user.email, DEFAULT_PASSWORD, foreign)).status).toBe(429);
    // Nor does a forged or expired one.
    const { Cookie } = deviceOf(login.headers);
    const [id, expires, signature] = Cookie.split(".");
    for (const forged of [
      "device=x",
      `${id}.${Number(expires) + 1}.${signature}`,
      `device=00000000-0000-4000-8000-000000000000.${expires}.${signature}`,
      `${id}.${expires}.`,
      `${id}.${expires}.é`,
      `${id}.NaN.${signature}`,
    ]) {
      const { status } = await attempt(api, user.email, DEFAULT_PASSWORD, { Cookie: forged });
      expect(status, forged).toBe(429);
    }
    const among = { Cookie: `autre=1; ${Cookie}; dernier=2` };
    expect((await attempt(api, user.email, DEFAULT_PASSWORD, among)).status).toBe(200);
  });
});
