import http from "node:http";
import { expect } from "@playwright/test";
import type { ShopProcess } from "./shop-process";

export interface ApiRequest {
  /** Bearer token. */
  token?: string;
  /** The `Accept` header, sent as it is. By default there is no such header. */
  accept?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. Sets the content type unless `headers` sets another. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array;
  /** Lets a 5xx pass; by default it fails the test. */
  mayFail?: boolean;
}

export interface ApiAnswer<T> {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The parsed body. Reading it throws if the body is not JSON. */
  readonly json: T;
}

type Call = <T = unknown>(path: string, request?: ApiRequest) => Promise<ApiAnswer<T>>;

/** The shop's REST API through a bare HTTP client, which adds nothing to the test's requests. */
export interface Api {
  request: <T = unknown>(
    method: string,
    path: string,
    request?: ApiRequest,
  ) => Promise<ApiAnswer<T>>;
  get: Call;
  post: Call;
  put: Call;
  delete: Call;
}

interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

const agent = new http.Agent({ keepAlive: true });

/** `fetch` would normalize the path and add headers of its own. */
function send({
  method,
  baseURL,
  path,
  headers,
  body,
}: {
  method: string;
  baseURL: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseURL);
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.once("error", reject);
    request.end(body);
  });
}

/** @param defaults headers of every request that sets no others */
export function createApi(
  shop: Pick<ShopProcess, "baseURL" | "log">,
  defaults: Record<string, string> = {},
): Api {
  const request = async <T>(method: string, path: string, given: ApiRequest = {}) => {
    const { token, accept, json, mayFail = false } = given;
    const body = json === undefined ? given.body : JSON.stringify(json);
    const headers: Record<string, string> = {
      ...defaults,
      ...(accept === undefined ? {} : { Accept: accept }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "Content-Type": "application/json" }),
      ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
      ...given.headers,
    };
    const answer = await send({ method, baseURL: shop.baseURL, path, headers, body });
    if (!mayFail) {
      const about = `${method} ${path} answered ${answer.status}: ${answer.text}\n${shop.log()}`;
      expect(answer.status, about).toBeLessThan(500);
    }
    return {
      ...answer,
      get json(): T {
        return JSON.parse(answer.text) as T;
      },
    };
  };
  const call =
    (method: string): Call =>
    (path, given) =>
      request(method, path, given);
  return {
    request,
    get: call("GET"),
    post: call("POST"),
    put: call("PUT"),
    delete: call("DELETE"),
  };
}
