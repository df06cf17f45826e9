// The baseline of an HTTP server in Node.js: a constant response.
// node bench/bare-server.mjs <port>
import { createServer } from "node:http";

const text = JSON.stringify({ message: "Bonjour" });
const headers = {
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(text),
};

createServer((_, response) => response.writeHead(200, headers).end(text)).listen(
  Number(process.argv[2]),
  "127.0.0.1",
);
