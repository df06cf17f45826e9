import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A mail as Resend's API takes it. */
interface AcceptedMail {
  from: string;
  to: string;
  reply_to?: string;
  subject: string;
  html: string;
  text: string;
  attachments?: { filename: string; content: string; content_type: string }[];
}

/** A fault to inject instead of answering a request properly. */
type Fault =
  | {
      kind: "refuse";
      status: number;
      name?: string;
      message?: string;
      headers?: Record<string, string>;
      /** The idempotency key counts as used, as if the mail had been accepted. */
      isKeyUsed?: boolean;
    }
  /** Closes the connection, before or after accepting the mail. */
  | { kind: "hang-up"; isAccepted: boolean }
  /** Accepts the mail and never answers. */
  | { kind: "silence" }
  /** Begins a response and never ends it. */
  | { kind: "stall"; status: number }
  /** A proxy's error page. */
  | { kind: "garbage"; status: number };

interface StoredRequest {
  id: string;
  body: string;
}

/**
 * A fake of Resend's API for tests: the one call that the shop makes, `POST /emails`, with its
 * idempotency keys and errors. Each fault concerns one request, in order.
 */
export class ResendServer {
  readonly mails: AcceptedMail[] = [];
  /** The idempotency keys of all requests, including refused ones. */
  readonly keys: string[] = [];
  readonly faults: Fault[] = [];

  private readonly stored = new Map<string, StoredRequest>();
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

    const fault = this.faults.shift();
    if (fault?.kind === "refuse") {
      const { status, name = "application_error", message, headers, isKeyUsed } = fault;
      if (isKeyUsed) this.stored.set(key, { id: "refused", body });
      return refuse(response, { status, name, message, headers });
    }
    if (fault?.kind === "garbage") {
      response.writeHead(fault.status, { "Content-Type": "text/html" });
      response.end("<h1>Bad Gateway</h1>");
      return;
    }
    if (fault?.kind === "stall") {
      response.writeHead(fault.status, { "Content-Type": "application/json" });
      response.write("{");
      return;
    }
    if (fault?.kind === "hang-up" && !fault.isAccepted) {
      request.socket.destroy();
      return;
    }

    if (request.method !== "POST" || request.url !== "/emails")
      return refuse(response, { status: 404, name: "not_found" });
    if (request.headers.authorization !== `Bearer ${this.apiKey}`)
      return refuse(response, { status: 403, name: "invalid_api_key" });
    const stored = this.stored.get(key);
    if (stored !== undefined && stored.body !== body)
      return refuse(response, { status: 409, name: "invalid_idempotent_request" });

    const id = stored?.id ?? `mail-${this.mails.length + 1}`;
    if (stored === undefined) {
      this.mails.push(JSON.parse(body) as AcceptedMail);
      if (key !== "") this.stored.set(key, { id, body });
    }
    if (fault?.kind === "hang-up") request.socket.destroy();
    else if (fault?.kind !== "silence") send(response, 200, { id });
  }
}

function refuse(
  response: ServerResponse,
  {
    status,
    name,
    message = `Refused: ${name}`,
    headers,
  }: {
    status: number;
    name: string;
    message?: string | undefined;
    headers?: Record<string, string> | undefined;
  },
): void {
  send(response, status, { statusCode: status, name, message }, headers);
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
