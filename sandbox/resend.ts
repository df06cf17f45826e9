import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A mail as Resend's API takes it. */
export interface AcceptedMail {
  from: string;
  to: string;
  reply_to?: string;
  subject: string;
  html: string;
  text: string;
  attachments?: { filename: string; content: string; content_type: string }[];
}

/** What the server does with a request instead of answering it properly. */
export type Mishap =
  | { kind: "refuse"; status: number; name?: string; headers?: Record<string, string> }
  /** Breaks the connection off: before the mail is taken over, or after. */
  | { kind: "hang-up"; isAccepted: boolean }
  /** Takes the mail over and never answers. */
  | { kind: "silence" }
  /** Begins an answer and never ends it. */
  | { kind: "stall"; status: number }
  /** An answer that is not Resend's: a proxy's page. */
  | { kind: "garbage"; status: number };

interface Known {
  id: string;
  body: string;
}

/**
 * A local server that plays the one call of Resend's API that the shop makes, `POST /emails`, with
 * its idempotency keys and its errors. Each mishap given concerns one request, in their order.
 */
export class ResendServer {
  /** The mails that Resend would have sent. */
  readonly mails: AcceptedMail[] = [];
  /** The idempotency keys of all requests, also of those that were refused. */
  readonly keys: string[] = [];
  readonly mishaps: Mishap[] = [];

  private readonly known = new Map<string, Known>();
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  private constructor(private readonly apiKey: string) {}

  static async start({ apiKey }: { apiKey: string }): Promise<ResendServer> {
    const resend = new ResendServer(apiKey);
    await new Promise<void>((resolve) => resend.server.listen(0, "127.0.0.1", resolve));
    return resend;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const key = String(request.headers["idempotency-key"] ?? "");
    this.keys.push(key);

    const mishap = this.mishaps.shift();
    if (mishap?.kind === "refuse") {
      const { status, name = "application_error", headers } = mishap;
      return refuse(response, { status, name, headers });
    }
    if (mishap?.kind === "garbage") {
      response.writeHead(mishap.status, { "Content-Type": "text/html" });
      response.end("<h1>Bad Gateway</h1>");
      return;
    }
    if (mishap?.kind === "stall") {
      response.writeHead(mishap.status, { "Content-Type": "application/json" });
      response.write("{");
      return;
    }
    if (mishap?.kind === "hang-up" && !mishap.isAccepted) {
      request.socket.destroy();
      return;
    }

    if (request.method !== "POST" || request.url !== "/emails")
      return refuse(response, { status: 404, name: "not_found" });
    if (request.headers.authorization !== `Bearer ${this.apiKey}`)
      return refuse(response, { status: 403, name: "invalid_api_key" });
    const known = this.known.get(key);
    if (known !== undefined && known.body !== body)
      return refuse(response, { status: 409, name: "invalid_idempotent_request" });

    const id = known?.id ?? `mail-${this.mails.length + 1}`;
    if (known === undefined) {
      this.mails.push(JSON.parse(body) as AcceptedMail);
      if (key !== "") this.known.set(key, { id, body });
    }
    if (mishap?.kind === "hang-up") request.socket.destroy();
    else if (mishap?.kind !== "silence") send(response, 200, { id });
  }
}

function refuse(
  response: ServerResponse,
  { status, name, headers }: { status: number; name: string; headers?: Record<string, string> },
): void {
  send(response, status, { statusCode: status, name, message: `Refused: ${name}` }, headers);
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: Record<string, string>,
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
