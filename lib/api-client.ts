import { endSession, readSession } from "@/lib/browser-session";
import { REAUTHENTICATION_REQUIRED } from "@/lib/errors";
import { loginUrl } from "@/lib/guards";

// The browser's way to the shop's own API. What has a `fetch` of its own says why: pages that everybody
// opens load no more than they need (lib/catalogue, lib/home), the logout is on every page (lib/auth),
// the contact form shows other sentences, and only XMLHttpRequest tells how far an upload has come.

/** The body of an error of the API (lib/http/api/problem.ts), or of another server with its format. */
interface ProblemBody {
  error?: unknown;
  message?: unknown;
  detail?: unknown;
  "hydra:description"?: unknown;
  violations?: unknown;
  errors?: unknown;
  type?: unknown;
  reauthentication?: unknown;
}

/** What proves that the visitor is still the session's user. */
export type Proof = "password" | "code";

interface ApiErrorInit {
  status: number;
  message: string;
  body?: unknown;
  isSessionOver?: boolean;
}

/** A call that did not succeed: refused by the shop, failed in it, or never answered. */
export class ApiError extends Error {
  /** 0 without a response in time: the connection is lost. */
  readonly status: number;
  /** The response's JSON, whatever it is; null without any. */
  readonly body: unknown;
  /** The browser is being redirected to /login: nothing need be shown. */
  readonly isSessionOver: boolean;

  constructor({ status, message, body = null, isSessionOver = false }: ApiErrorInit) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.isSessionOver = isSessionOver;
  }

  /** The API's sentence about the error; empty without one, and for 5xx. */
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

  /** What the shop asks for before it makes a sensitive change; null for any other error. */
  get neededProof(): Proof | null {
    const { type, reauthentication } = problemOf(this.body);
    if (this.status !== 403 || type !== REAUTHENTICATION_REQUIRED) return null;
    return reauthentication === "code" ? "code" : "password";
  }

  /**
   * What takes precedence over a screen's own sentence, since it says what to do: how long to wait, or
   * that a proof is needed. Empty for any other error.
   */
  get instruction(): string {
    return this.isRateLimited || this.neededProof !== null ? this.sentence : "";
  }

  /** 429: the sentence says how long to wait. */
  get isRateLimited(): boolean {
    return this.status === 429;
  }
}

function problemOf(body: unknown): ProblemBody {
  return typeof body === "object" && body !== null ? body : {};
}

/** A list of the API: a plain array, or wrapped in a Hydra collection. */
export type ListJson<T> = T[] | { "hydra:member": T[]; "hydra:totalItems"?: number };

/** The members of a list of the API, in either of its forms. */
export function membersOf<T>(list: ListJson<T>): T[] {
  return "hydra:member" in list ? list["hydra:member"] : list;
}

/** How many a list has on all its pages, where it says so; else how many it holds. */
export function totalOf(list: ListJson<unknown>): number {
  const total = "hydra:totalItems" in list ? list["hydra:totalItems"] : undefined;
  return total ?? membersOf(list).length;
}

/** Milliseconds; the server gives up before. */
const TIMEOUT_MS = 30_000;

/** A signal that is aborted with this one, and after the timeout. */
export function timeoutSignal(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  // Safari before 17.4 has no `AbortSignal.any`.
  return signal ? (AbortSignal.any?.([signal, timeout]) ?? signal) : timeout;
}

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  json?: unknown;
  /**
   * - `session`: with the visitor's token; without one, or where it is refused, the session ends
   * - `none`: without any, for calls that anyone may make
   * - `{ token }`: with that one
   */
  as: "session" | "none" | { token: string };
  /** The format of the answer; plain JSON if not given. */
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  accept?: string;
  /** The response is a file, not JSON; without a timeout. */
  asFile?: boolean;
  /** Aborts the call. */
  signal?: AbortSignal;
  /** The call goes on when the page is left; at most 64 KiB. */
  keepalive?: boolean;
  /** The call may be made `whileReplacingToken`, since it replaces the visitor's token itself. */
  replacesToken?: boolean;
}

/**
 * Calls the API and returns the answer's JSON, undefined where it has none.
 *
 * @param path with `/api` at its beginning
 * @throws ApiError
 */
export async function callApi<T = unknown>(path: string, request: ApiRequest): Promise<T> {
  return (await callApiWithHeaders<T>(path, request)).body;
}

/** A DELETE that succeeds also where the object does not exist (404). @throws ApiError */
export async function ignoreMissing(deleting: Promise<unknown>): Promise<void> {
  try {
    await deleting;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
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
  return (await callApiWithHeaders<Blob>(path, { ...request, asFile: true })).body;
}

/** Asks the visitor for it, and resolves to whether the session's token now allows the change. */
type AskForProof = (proof: Proof) => Promise<boolean>;

let askForProof: AskForProof | null = null;

/** Has calls that ask for a proof get it and be repeated. Returns the function that ends this. */
export function handleReauthentication(ask: AskForProof): () => void {
  askForProof = ask;
  return () => {
    if (askForProof === ask) askForProof = null;
  };
}

/**
 * Calls the API and returns the answer's JSON with its headers. A sensitive change for which the shop
 * asks for a proof is repeated with it.
 *
 * @param path with `/api` at its beginning
 * @throws ApiError
 */
export async function callApiWithHeaders<T = unknown>(
  path: string,
  request: ApiRequest,
): Promise<{ body: T; headers: Headers }> {
  const { method = "GET", as } = request;
  const token = as === "session" ? readSession().token : as === "none" ? null : as.token;
  if (as === "session" && token === null) throw redirectToLogin({ wasOpen: false });
  const { status, ok, headers, body } = await send({ path, method, token, request });
  if (ok) return { body: body as T, headers };
  if (status === 401 && as === "session") {
    // There may be a new token since, or soon, also in another tab: a new password revokes all former ones.
    if (!request.replacesToken) await tokenReplaced();
    if (readSession().token !== token) return callApiWithHeaders(path, request);
    throw redirectToLogin({ wasOpen: true });
  }
  const error = new ApiError({ status, message: `${method} ${path}: ${status}`, body });
  const proof = as === "session" ? error.neededProof : null;
  if (proof === null) throw error;
  // Another tab may have given it already.
  const isGiven = readSession().token !== token || (await askForProof?.(proof));
  if (isGiven) return callApiWithHeaders(path, request);
  throw error;
}

const TOKEN_LOCK = "token";

/**
 * Runs a change of the visitor's token. Until it is over, calls in any tab that are refused for the former
 * one wait instead of ending the session.
 */
export const whileReplacingToken = <T>(run: () => Promise<T>): Promise<T> =>
  // Browsers without locks, and pages without https, do not wait.
  navigator.locks ? navigator.locks.request(TOKEN_LOCK, run) : run();

/** Waits until no change of the visitor's token is under way, in any tab. */
export const tokenReplaced = async () =>
  navigator.locks?.request(TOKEN_LOCK, { mode: "shared" }, () => undefined);

interface ParsedResponse {
  status: number;
  ok: boolean;
  headers: Headers;
  body: unknown;
}

async function send({
  path,
  method,
  token,
  request: {
    json,
    headers: more,
    signal,
    keepalive = false,
    accept = "application/json",
    asFile = false,
  },
}: {
  path: string;
  method: string;
  token: string | null;
  request: ApiRequest;
}): Promise<ParsedResponse> {
  const timeout = asFile ? signal : timeoutSignal(signal);
  let head: Omit<ParsedResponse, "body">;
  let text: string;
  try {
    const response = await fetch(path, {
      method,
      headers: {
        Accept: accept,
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...more,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(timeout && { signal: timeout }),
      keepalive,
    });
    const { status, ok, headers } = response;
    head = { status, ok, headers };
    if (asFile && ok) return { ...head, body: await response.blob() };
    text = await response.text();
  } catch (cause) {
    throw new ApiError({ status: 0, message: `${method} ${path}: ${cause}` });
  }
  if (text === "") return { ...head, body: undefined };
  try {
    return { ...head, body: JSON.parse(text) };
  } catch (cause) {
    // A proxy may respond with a page of its own.
    if (!head.ok) return { ...head, body: null };
    throw new ApiError({ status: head.status, message: `${method} ${path}: ${cause}` });
  }
}

/** Ends the session; the login returns to this page. Returns the error to throw. */
export function redirectToLogin({ wasOpen }: { wasOpen: boolean }): ApiError {
  void endSession({
    leadTo: loginUrl(window.location.pathname + window.location.search),
    ...(wasOpen && { notice: "expired" }),
  });
  return new ApiError({ status: 401, message: "The session is over.", isSessionOver: true });
}
