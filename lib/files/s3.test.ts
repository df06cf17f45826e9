import { expect, test } from "@playwright/test";
import { type S3Server, startS3 } from "@/e2e/services/s3";
import { forgetEnv } from "@/lib/env";
import { findObject, putObject, removeObject } from "@/lib/files/s3";

const ACCOUNT = { accessKeyId: "AKTEST", secretAccessKey: "s3/cr+et", region: "eu-west-3" };
const environment = { ...process.env };
let s3: S3Server;

test.beforeAll(async () => {
  s3 = await startS3({ ...ACCOUNT, bucket: "boutique" });
  Object.assign(process.env, {
    S3_ENDPOINT: s3.url,
    S3_REGION: ACCOUNT.region,
    S3_BUCKET: "boutique",
    S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
    S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
  });
  forgetEnv();
});

test.afterAll(async () => {
  process.env = environment;
  forgetEnv();
  await s3.stop();
});

test("a request to an overloaded bucket is retried after growing delays, if it may be", async () => {
  await putObject({ key: "a.png", body: new Uint8Array(3) });
  const before = s3.requests.length;
  s3.failNext(2);
  const begun = performance.now();
  expect((await findObject("a.png"))?.get("content-length")).toBe("3");
  expect(s3.requests.slice(before)).toHaveLength(3);
  // With jitter, at least half of 200 ms plus half of 400 ms. Timers may fire a moment early.
  expect(performance.now() - begun).toBeGreaterThan(290);
  s3.failNext(1);
  await expect(removeObject({ key: "a.png", retries: 0 })).rejects.toThrow("503");
  expect(await findObject("a.png")).not.toBeNull();
});
