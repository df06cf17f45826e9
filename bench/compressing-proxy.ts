import http from "node:http";
import { pipeline } from "node:stream";
import { createBrotliCompress, createGzip, constants as zlib } from "node:zlib";
import type { Service, Services } from "@/scripts/services";

const TEXT = /^(?:text\/|application\/(?:json|ld\+json|javascript|manifest\+json)|image\/svg)/;

/** A reverse proxy that compresses responses, as in production. */
export function startCompressingProxy({
  services,
  port,
  target,
}: {
  services: Services;
  port: number;
  /** The shop's URL. */
  target: string;
}): Promise<Service & { origin: string }> {
  const { hostname, port: shopPort } = new URL(target);
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const { method, url: path, headers } = request;
    const forwarded = http.request(
      { agent, host: hostname, port: shopPort, method, path, headers },
      (answer) => {
        const { statusCode = 502, headers: sent } = answer;
        const accepted = String(headers["accept-encoding"]);
        const isText = TEXT.test(sent["content-type"] ?? "") && !sent["content-encoding"];
        const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : null;
        if (!isText || encoding === null || method === "HEAD") {
          response.writeHead(statusCode, sent);
          pipeline(answer, response, () => undefined);
          return;
        }
        const { "content-length": _, ...rest } = sent;
        response.writeHead(statusCode, { ...rest, "content-encoding": encoding });
        const compress =
          encoding === "br"
            ? createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } })
            : createGzip();
        pipeline(answer, compress, response, () => undefined);
      },
    );
    forwarded.once("error", () => response.destroy());
    pipeline(request, forwarded, () => undefined);
  });
  return services.start(async () => {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    return {
      origin: `http://127.0.0.1:${port}`,
      stop: async () => {
        agent.destroy();
        server.closeAllConnections();
        server.close();
      },
    };
  });
}
