import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { GATE } from "@/scripts/next-program";

/** A server as Next.js starts it: it listens, is loaded, and looks at requests from then on. */
const SERVER = `
  import { subscribe } from "node:diagnostics_channel";
  import { once } from "node:events";
  import http from "node:http";
  import net from "node:net";
  import { setImmediate as turn } from "node:timers/promises";
  import { promisify } from "node:util";

  const server = http.createServer(({ headers }, response) => response.end(headers["x-seen"]));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const count = promisify(server.getConnections.bind(server));
  const ask = async () => (await fetch("http://127.0.0.1:" + port)).text();

  const hasty = net.connect(port, "127.0.0.1");
  await once(hasty, "connect");
  const early = ask();
  while ((await count()) < 2) await turn();
  hasty.resetAndDestroy();
  while ((await count()) > 1) await turn();

  subscribe("http.server.request.start", ({ request }) => {
    request.headers["x-seen"] = "seen";
  });
  globalThis[Symbol.for("mini-ecommerce.gate")]();
  const isPatched = Object.hasOwn(http.Server.prototype, "emit");
  console.log(JSON.stringify([await early, await ask(), isPatched]));
  process.exit();
`;

/** The same server; what looks whether a port answers connects, and leaves again before it is loaded. */
const LEFT = `
  import { once } from "node:events";
  import http from "node:http";
  import net from "node:net";
  import { setImmediate as turn } from "node:timers/promises";
  import { promisify } from "node:util";

  const server = http.createServer();
  const sockets = [];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { emit } = server;
  server.emit = function (event, ...values) {
    if (event === "connection") sockets.push(values[0]);
    return Reflect.apply(emit, this, [event, ...values]);
  };
  const visitor = net.connect(server.address().port, "127.0.0.1");
  await once(visitor, "connect");
  visitor.destroy();
  while (!sockets[0]?.readableEnded) await turn();
  delete server.emit;

  globalThis[Symbol.for("mini-ecommerce.gate")]();
  const count = promisify(server.getConnections.bind(server));
  const end = Date.now() + 5_000;
  while ((await count()) > 0 && Date.now() < end) await turn();
  console.log(String(await count()));
  process.exit();
`;

test("who comes before the shop is loaded is looked at all the same", () => {
  const args = [...GATE, "--input-type=module", "--eval", SERVER];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(["seen", "seen", false]);
});

test("who has left before the shop is loaded holds up no stop", () => {
  const args = [...GATE, "--input-type=module", "--eval", LEFT];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("0");
});
