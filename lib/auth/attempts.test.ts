import { expect, test } from "@playwright/test";
import { loginAttempts } from "@/lib/auth/attempts";
import { forgetEnv } from "@/lib/env";
import { fail, isFailure } from "@/lib/errors/failure";

const environment = { ...process.env };

test.beforeAll(() => {
  delete process.env.REDIS_URL;
  process.env.RATE_LIMIT_SCALE = "1";
  forgetEnv();
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const isAllowed = (attempt: { account: string; network: string }) =>
  loginAttempts.consume(attempt).then(
    () => true,
    (error: unknown) => (isFailure(error, "tooMany") ? false : Promise.reject(error)),
  );

test("successful logins to one account do not reset the failures of its network", async () => {
  const network = "192.0.2.1";
  const own = { account: "eve@exemple.fr", network };
  for (let victim = 0; victim < 50; victim++) {
    expect(await isAllowed({ account: `victime-${victim}@exemple.fr`, network })).toBe(true);
    if (victim % 10 !== 9 || victim === 49) continue;
    expect(await isAllowed(own)).toBe(true);
    await loginAttempts.succeed(own);
  }
  expect(await isAllowed({ account: "victime-50@exemple.fr", network })).toBe(false);
  expect(await isAllowed(own)).toBe(false);
  expect(await isAllowed({ ...own, network: "192.0.2.2" })).toBe(true);
});

for (const { what, network, spellings } of [
  {
    what: "whatever its case",
    network: "198.51.100",
    spellings: ["zoe@exemple.fr", "Zoe@exemple.fr", "zoe@EXEMPLE.fr"],
  },
  {
    what: "as PostgreSQL lower-cases it",
    network: "203.0.113",
    spellings: ["lili@exemple.fr", "LİLİ@exemple.fr", "lİli@EXEMPLE.fr"],
  },
  {
    what: "whatever the form of its domain",
    network: "192.0.2",
    spellings: ["zoe@société.fr", "zoe@xn--socit-esab.fr", "ZOE@SOCIÉTÉ.fr".normalize("NFD")],
  },
])
  test(`an account is identified by its e-mail address, ${what}`, async () => {
    for (let failure = 0; failure < 10; failure++) {
      const account = spellings[failure % 3] ?? "";
      expect(await isAllowed({ account, network: `${network}.${10 + failure}` })).toBe(true);
    }
    const [account = "", other = ""] = spellings;
    const attempt = { account, network: `${network}.99` };
    expect(await isAllowed(attempt)).toBe(false);
    await loginAttempts.reset(other);
    expect(await isAllowed(attempt)).toBe(true);
  });

test("an attempt that fails by the shop's fault is not counted, a refused one is", async () => {
  const attempt = { account: "lea@exemple.fr", network: "203.0.113.200" };
  const end = (error: Error) =>
    expect(loginAttempts.run(attempt, () => Promise.reject(error))).rejects.toBe(error);
  for (let outage = 0; outage < 60; outage++)
    await end(outage % 2 ? fail.unavailable() : new Error("Connection terminated"));
  for (let failure = 0; failure < 10; failure++) await end(fail.unauthorized());
  expect(await isAllowed(attempt)).toBe(false);
});
