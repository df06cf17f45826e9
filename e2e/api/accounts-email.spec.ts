import { eq } from "drizzle-orm";
import { createUser, DEFAULT_PASSWORD, type UserRow } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import {
  isOpen,
  logIn,
  newEmail,
  type Refusal,
  staleTokenOf,
  tokenInMail,
  tokenOf,
} from "../accounts";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import { expect, type Shop, test } from "../fixtures";
import { type Mailbox, queuedMails } from "../mailbox";

// Changes of the e-mail address through PUT /api/account.

const MAILED =
  "Un lien vient d'être envoyé à la nouvelle adresse e-mail. L'adresse actuelle reste valable jusqu'à ce que vous l'ouvriez.";
const IN_USE = "Cette adresse e-mail est déjà utilisée.";
const NOTICE = "Une nouvelle adresse e-mail est demandée pour votre compte";

interface Account extends Refusal {
  user: { email: string; nom: string };
  message?: string;
}

const put = async (api: Api, user: UserRow, json: object) =>
  api.put<Account>("/api/account", { token: await tokenOf(user), json });

const register = (api: Api, email: string) =>
  api.post<Refusal>("/api/register", {
    json: { nom: "Petit", lastname: "Ana", email, password: "Motdepasse-2026!" },
  });

const verify = async (api: Api, token: string) =>
  (await api.get<{ valid: boolean }>(`/api/verify-email/${token}`)).json.valid;

/** The token of the newest of so many links that were mailed to an address. */
async function linkTo(mailbox: Mailbox, email: string, count = 1) {
  const subject = "Confirmez votre nouvelle adresse e-mail";
  await expect.poll(() => mailbox.list({ to: email, subject }).length).toBe(count);
  const [mail] = mailbox.list({ to: email, subject }).slice(-1);
  if (!mail) throw new Error("There is no mail.");
  return tokenInMail({ mail, page: "profile#email" });
}

type Tools = Pick<Shop, "api" | "database" | "mailbox">;

/** An account for which a change is requested, with the token of its link. */
async function requested({ api, database, mailbox }: Tools) {
  const user = await createUser({ db: database });
  const email = newEmail("nouvelle");
  expect((await put(api, user, { email })).status).toBe(200);
  return { user, email, token: await linkTo(mailbox, email) };
}

test("a new address counts once its link is opened", async ({ api, database, mailbox }) => {
  const user = await createUser({ db: database });
  const session = await tokenOf(user);
  await api.post("/api/reset-password", { json: { email: user.email } });
  const reset = await mailbox.waitForMail({ to: user.email });
  const resetToken = tokenInMail({ mail: reset, page: "reset-password" });
  const email = newEmail("nouvelle");
  const answer = await put(api, user, { nom: "Durand", email: ` ${email} ` });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    user: { email: user.email, nom: "Durand" },
    message: MAILED,
  });
  const notice = await mailbox.waitForMail({ to: user.email, subject: NOTICE });
  expect(notice.text).not.toContain(email);
  await logIn({ api, email: user.email });

  const token = await linkTo(mailbox, email);
  expect(await verify(api, token)).toBe(true);
  const read = await api.get<Account>("/api/account", { token: session });
  expect(read.json.user.email).toBe(email);
  await logIn({ api, email });
  const former = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json: former })).status).toBe(401);
  // Mail scanners open links, too.
  expect(await verify(api, token)).toBe(true);
  // The link for a new password was mailed to the former address.
  const path = `/api/reset-password/verify/${resetToken}`;
  expect((await api.get(path)).json).toEqual({ valid: false });
  // The former address is free for another account.
  expect((await register(api, user.email)).status).toBe(201);
});

test("the present address, in any form, or none sends no mail", async ({ api, database }) => {
  const ascii = newEmail().replace("@exemple.test", "@xn--socit-esab.test");
  const user = await createUser({ db: database, email: ascii });
  const readable = ascii.replace("@xn--socit-esab.test", "@société.test");
  const token = await staleTokenOf(user);
  for (const email of [ascii.toUpperCase(), ` ${readable} `, "", null, undefined]) {
    const answer = await api.put<Account>("/api/account", { token, json: { email } });
    expect([answer.status, answer.json.message]).toEqual([200, undefined]);
  }
  expect(await queuedMails(database, ascii)).toEqual([]);
});

test("a wrong address and an old login are refused", async ({ api, database }) => {
  const user = await createUser({ db: database });
  const confirmed = await createUser({ db: database });
  const unconfirmed = await createUser({ db: database, isVerified: false });
  const closed = await createUser({ db: database, isDeleted: true });
  for (const other of [confirmed, unconfirmed, closed]) {
    const { status, json } = await put(api, user, { nom: "Durand", email: other.email });
    expect([status, json.errors]).toEqual([422, { email: IN_USE }]);
    expect(await queuedMails(database, other.email)).toEqual([]);
  }
  // A new address needs a login, a password or a code of the last ten minutes.
  const late = { nom: "Durand", email: newEmail("nouvelle") };
  const old = await staleTokenOf(user);
  const refused = await api.put("/api/account", { token: old, json: late });
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ type: "/api/errors/reauthentication-required" });
  expect(await queuedMails(database, late.email)).toEqual([]);
  const malformed = await put(api, user, { nom: "Durand", email: "zoe@exemple" });
  expect(malformed.json.errors).toEqual({ email: "Veuillez saisir une adresse e-mail valide." });
  const [stored] = await database.select().from(users).where(eq(users.id, user.id));
  expect(stored).toEqual(user);
});

test.describe("a mailed link to a new address becomes invalid", () => {
  type Requested = Awaited<ReturnType<typeof requested>>;
  const ends: Record<string, (request: Requested, tools: Tools) => Promise<unknown>> = {
    "by another link": async ({ user, email }, { api, mailbox }) => {
      await put(api, user, { email });
      await linkTo(mailbox, email, 2);
    },
    "by a new password": ({ user }, { api }) => put(api, user, { password: "Nouveau-2026!" }),
    "by « Mot de passe oublié »": async ({ user }, { api, mailbox }) => {
      await api.post("/api/reset-password", { json: { email: user.email } });
      const subject = "Choisissez un nouveau mot de passe";
      const mail = await mailbox.waitForMail({ to: user.email, subject });
      const token = tokenInMail({ mail, page: "reset-password" });
      const json = { token, password: "Nouveau-2026!" };
      return api.post("/api/reset-password/confirm", { json });
    },
    "when another account takes the address": ({ email }, { api }) => register(api, email),
    "when staff change the address": async ({ user }, { api, database }) => {
      const { token } = await newAdmin(database);
      const json = { email: newEmail("equipe") };
      return api.put(`/api/admin/users/${user.id}`, { token, json });
    },
    "when the account is closed": async ({ user }, { api }) => {
      const token = await tokenOf(user);
      await api.delete("/api/account/delete/soft", { token });
      expect(await isOpen({ api, token })).toBe(false);
    },
  };
  for (const [how, end] of Object.entries(ends))
    test(how, async ({ api, database, mailbox }) => {
      const request = await requested({ api, database, mailbox });
      await end(request, { api, database, mailbox });
      expect(await verify(api, request.token)).toBe(false);
    });

  test("for the second of two accounts that want it", async ({ api, database, mailbox }) => {
    const first = await requested({ api, database, mailbox });
    const other = await createUser({ db: database });
    await put(api, other, { email: first.email });
    const second = await linkTo(mailbox, first.email, 2);
    const valid = await Promise.all([verify(api, first.token), verify(api, second)]);
    expect(valid.toSorted()).toEqual([false, true]);
    const owner = valid[0] ? first.user : other;
    expect((await logIn({ api, email: first.email })).userId).toBe(owner.id);
  });
});

test("attempts with an address count as registrations of it", async ({ limited }) => {
  const { api, database } = limited;
  const user = await createUser({ db: database });
  const { email } = await createUser({ db: database });
  for (let count = 0; count < 4; count++)
    expect((await put(api, user, { email })).status).toBe(422);
  expect((await register(api, email)).status).toBe(422);
  for (const answer of [await put(api, user, { email }), await register(api, email)]) {
    expect(answer.status).toBe(429);
    expect(answer.json.error).toBe("Trop de tentatives. Réessayez dans 1 heure.");
  }
});
