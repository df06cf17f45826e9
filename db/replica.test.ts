import { closeDatabase, db } from "@/db";
import { fromReplica } from "@/db/replica";
import { expect, test } from "@/e2e/database-fixtures";
import { forgetEnv } from "@/lib/env";

const KEPT = Symbol.for("mini-ecommerce.replica");

function setReplica(url: string | undefined) {
  if (url === undefined) delete process.env.DATABASE_REPLICA_URL;
  else process.env.DATABASE_REPLICA_URL = url;
  Reflect.deleteProperty(globalThis, KEPT);
  forgetEnv();
}

test.afterEach(async () => {
  setReplica(undefined);
  await closeDatabase();
});

test("where the replica may not be read, the primary is asked", async ({ shopEnv: _ }) => {
  for (const replica of [undefined, "postgres://shop@127.0.0.1:1/shop"]) {
    setReplica(replica);
    const asked: unknown[] = [];
    await fromReplica(async (from) => void asked.push(from));
    expect(asked).toHaveLength(1);
    expect(asked[0] === db, `replica: ${replica}`).toBe(true);
  }
});
