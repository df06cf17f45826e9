import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { file } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// e2e/api/representation.spec.ts and e2e/access.spec.ts test real routes.

const environment = { ...process.env };

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const reply = file({ contentType: "application/pdf", description: "La facture" });

const call = (handler: ReturnType<typeof route>, headers = {}, method = "GET") =>
  handler(new Request("http://shop.test/api/things", { method, headers }), {
    params: Promise.resolve({}),
  });

test("without a secret nobody is the scheduler", async () => {
  delete process.env.CRON_SECRET;
  forgetEnv();
  const handler = route({ access: "cron", summary: "Planifier", run: () => undefined, reply: 204 });
  for (const authorization of ["Bearer undefined", "Bearer ", ""])
    expect((await call(handler, { authorization })).status).toBe(401);
});

test("HEAD of a file cancels its stream", async () => {
  let isCancelled = false;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => {
          isCancelled = true;
        },
      }),
    );
  const { HEAD } = methods({
    GET: route({ access: "public", summary: "Télécharger", run: endless, reply }),
  });
  expect(await (await call(HEAD, {}, "HEAD")).text()).toBe("");
  expect(isCancelled).toBe(true);
});
