import { endSession, readSession } from "@/lib/auth/client";
import { loginAddress } from "@/lib/guards";

// The browser's one way to the shop's own API.

/** What the API says of a refusal (lib/http/problem.ts), and others that speak its dialect. */
interface ProblemBody {
  error?: unknown;
  message?: unknown;
  detail?: unknown;
  "hydra:description"?: unknown;
  violations?: unknown;
  errors?: unknown;
}

interface ApiErrorInit {
  status: number;
  message: string;
  body?: unknown;
  isSessionOver?: boolean;
}

/** A call that did not succeed: refused by the shop, failed in it, or never answered. */
export class ApiError extends Error {
  /** 0 where there was no answer: the connection is lost. */
  readonly status: number;
  /** The answer's JSON, whatever it is; null without any. */
  readonly body: unknown;
  /** The visitor is on the way to /login: there is nothing left to be said here. */
  readonly isSessionOver: boolean;

  constructor({ status, message, body = null, isSessionOver = false }: ApiErrorInit) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.isSessionOver = isSessionOver;
  }

  /** The shop's own sentence about a refusal; empty where it gives none, and for faults of its own. */
  get sentence(): string {
    if (this.status >= 500) return "";
    const { error, message, detail, "hydra:description": description } = problemOf(this.body);
    const sentences = [error, message, detail, description];
    return sentences.find((text): text is string => typeof text === "string" && text !== "") ?? "";
  }

  /** Sentences by the payload's names, `general` for the whole; empty where the shop names none. */
  get errors(): Record<string, string> {
    const { errors } = problemOf(this.body);
    if (typeof errors !== "object" || errors === null) return {};
    const sentences = Object.entries(errors).map(([field, text]) => [field, String(text)] as const);
    return Object.fromEntries(sentences);
  }

  /** The broken rules, in the order of the answer; empty where none was named. */
  get violations(): { propertyPath: string; message: string }[] {
    const { violations } = problemOf(this.body);
    return Array.isArray(violations) ? violations : [];
  }

  /**
   * The broken rules by their property, else the status with the shop's description; empty for the
   * shop's own faults and a lost connection.
   */
  get details(): string {
    const { status, violations, sentence } = this;
    if (violations.length > 0)
      return violations
        .map(({ propertyPath, message }) => `${propertyPath}: ${message}`)
        .join("\n");
    return sentence && `${status} – ${sentence}`;
  }

  /** Too many tries: the sentence says how long to wait. */
  get isLimit(): boolean {
    return this.status === 429;
  }
}

function problemOf(body: unknown): ProblemBody {
  return typeof body === "object" && body !== null ? body : {};
}

/** A list of the API: a plain array, or wrapped in a Hydra collection. */
export type ListJson<T> = T[] | { "hydra:member": T[]; "hydra:totalItems"?: number };

/** What stands in a list of the API, in either of its forms. */
export function membersOf<T>(list: ListJson<T>): T[] {
  return "hydra:member" in list ? list["hydra:member"] : list;
}

/** How many a list has on all its pages, where it says so; else how many it holds. */
export function totalOf(list: ListJson<unknown>): number {
  const total = "hydra:totalItems" in list ? list["hydra:totalItems"] : undefined;
  return total ?? membersOf(list).length;
}

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  json?: unknown;
  /**
   * - `session`: with the visitor's token; without one, or where it is refused, the session ends
   * - `none`: without any, for calls that anyone may make
   * - another text: that token
   */
  as: "session" | "none" | { token: string };
  /** The format of the answer; plain JSON if not given. */
  accept?: string;
  /** The answer is taken as it is, and not for JSON. */
  asFile?: boolean;
  signal?: AbortSignal;
  /** The call goes on where the page is left meanwhile; at most 64 KiB are sent so. */
  keepalive?: boolean;
}

/**
 * Calls the API and returns the answer's JSON, undefined where it has none.
 *
 * @param path with `/api` at its beginning
 * @throws ApiError
 */
export async function callApi<T = unknown>(path: string, request: ApiRequest): Promise<T> {
  return (await callApiForAnswer<T>(path, request)).body;
}

/**
 * Calls the API for a file.
 *
 * @param path with `/api` at its beginning
 * @throws ApiError
 */
export async function callApiForFile(
  path: string,
  request: Omit<ApiRequest, "asFile">,
): Promise<Blob> {
  return (await callApiForAnswer<Blob>(path, { ...request, asFile: true })).body;
}

/**
 * Calls the API and returns the answer's JSON with its headers.
 *
 * @param path with `/api` at its beginning
 * @throws ApiError
 */
export async function callApiForAnswer<T = unknown>(
  path: string,
  request: ApiRequest,
): Promise<{ body: T; headers: Headers }> {
  const { method = "GET", as } = request;
  const token = as === "session" ? readSession().token : as === "none" ? null : as.token;
  if (as === "session" && token === null) throw leaveForLogin({ wasOpen: false });
  const { status, ok, headers, body } = await send({ path, method, token, request });
  if (ok) return { body: body as T, headers };
  if (status === 401 && as === "session") {
    // Another tab may have got a new token since: a new password ends all former ones.
    if (readSession().token !== token) return callApiForAnswer(path, request);
    throw leaveForLogin({ wasOpen: true });
  }
  throw new ApiError({ status, message: `${method} ${path}: ${status}`, body });
}

interface Answer {
  status: number;
  ok: boolean;
  headers: Headers;
  body: unknown;
}

async function send({
  path,
  method,
  token,
  request: { json, signal, keepalive = false, accept = "application/json", asFile = false },
}: {
  path: string;
  method: string;
  token: string | null;
  request: ApiRequest;
}): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        Accept: accept,
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
      keepalive,
    });
    const { status, ok, headers } = response;
    if (asFile && ok) return { status, ok, headers, body: await response.blob() };
    const text = await response.text();
    return { status, ok, headers, body: text === "" ? undefined : parse({ text, ok }) };
  } catch (cause) {
    throw new ApiError({ status: 0, message: `${method} ${path}: ${cause}` });
  }
}

/** What stands between here and the shop may refuse with a page of its own. */
function parse({ text, ok }: { text: string; ok: boolean }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (ok) throw error;
    return null;
  }
}

/** Ends what is left of the session; the login leads back to this page. Returns what to throw. */
export function leaveForLogin({ wasOpen }: { wasOpen: boolean }): ApiError {
  void endSession({
    leadTo: loginAddress(window.location.pathname + window.location.search),
    ...(wasOpen && { notice: "expired" }),
  });
  return new ApiError({ status: 401, message: "The session is over.", isSessionOver: true });
}
