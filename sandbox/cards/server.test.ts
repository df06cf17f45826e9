import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, stripeFor, test, WEBHOOK_SECRET } from "@/e2e/services/card-sandbox";
import { OperatorError } from "@/lib/errors/operator-error";
import { startCardSandbox } from "@/sandbox/cards/server";

const payment = { amount: 1290, currency: "eur", payment_method: "pm_card_visa", confirm: true };

test.describe("the sandbox's own calls", () => {
  test("a page that resolves its own host name to the sandbox is refused", async ({
    sandbox,
    stripe,
    control,
  }) => {
    await stripe.paymentIntents.create(payment);
    const port = new URL(sandbox.url).port;
    const ask = async (method: string, path: string, host: string) => {
      // `fetch` does not allow setting the Host header.
      const request = http.request(sandbox.url + path, {
        method,
        headers: { Host: host, Authorization: "Bearer sk_test_any" },
      });
      request.end();
      const [response] = (await once(request, "response")) as [http.IncomingMessage];
      return { status: response.statusCode, body: await text(response) };
    };
    const message = "Le bac à sable de cartes ne répond qu'à localhost ou à une adresse IP.";
    const refused = { status: 421, body: JSON.stringify({ error: { message } }) };
    for (const [method, path] of [
      ["GET", "/"],
      ["GET", "/_sandbox/payments"],
      ["POST", "/_sandbox/reset"],
      ["GET", "/v1/payment_intents"],
      ["POST", "/v1/refunds"],
    ] as const)
      for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"])
        expect(await ask(method, path, host), `${method} ${path}`).toEqual(refused);
    for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await ask("GET", "/", host), host).toMatchObject({ status: 200 });
    expect((await control.summary()).payments).toHaveLength(1);
  });

  test("pages of other sites may not use them", async ({ sandbox, stripe, control }) => {
    await stripe.paymentIntents.create(payment);
    for (const site of ["cross-site", "same-site"]) {
      const answer = await fetch(`${sandbox.url}/_sandbox/reset`, {
        method: "POST",
        headers: { "Sec-Fetch-Site": site },
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect((await control.summary()).payments).toHaveLength(1);
  });
});

test("the status page says that it is a demonstration, and lists cards and payments", async ({
  sandbox,
  stripe,
}) => {
  expect(await (await fetch(sandbox.url)).text()).toContain("Aucun paiement pour le moment.");
  const { id } = await stripe.paymentIntents.create(payment);
  await stripe.refunds.create({ payment_intent: id, amount: 290 });
  const answer = await fetch(sandbox.url);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await answer.text();
  for (const text of [
    '<html lang="fr">',
    "Ceci est une démonstration",
    "4242 4242 4242 4242",
    "Fonds insuffisants",
    "pm_card_visa",
    id,
    "12,90\u00a0€",
    "payé, remboursé 2,90\u00a0€",
    "••••\u00a04242",
  ])
    expect(html).toContain(text);
});

test.describe("starting", () => {
  const options = {
    webhookUrl: "http://127.0.0.1:9/webhook",
    webhookSecret: WEBHOOK_SECRET,
    log: () => undefined,
  };

  test("a port in use is named in the error", async ({ folder, sandbox }) => {
    const port = Number(new URL(sandbox.url).port);
    const dataFile = path.join(folder, "other.jsonl");
    const start = (free: number) => startCardSandbox({ ...options, port: free, dataFile });
    const error = await start(port).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toContain(`Le port ${port} `);
    expect(String(error)).toContain("STRIPE_API_BASE");
    // The failed start has released the lock.
    await (await start(0)).stop();
  });

  test("two sandboxes cannot share a data file", async ({ folder, sandbox }) => {
    const dataFile = path.join(folder, "cards.jsonl");
    const start = startCardSandbox({ ...options, port: 0, dataFile });
    await expect(start).rejects.toThrow(OperatorError);
    await expect(stripeFor(sandbox.url).paymentIntents.list()).resolves.toMatchObject({ data: [] });
  });
});
