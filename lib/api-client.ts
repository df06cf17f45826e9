import { ApiError } from "@/lib/api-error";
import { hasUnsavedText } from "@/lib/browser/drafts";
import { endSession, readSession } from "@/lib/browser/session";
import { askVisitor } from "@/lib/browser/session-questions";
import { loginUrl } from "@/lib/guards";
import { timeoutSignal } from "@/lib/public-api";

// The browser calls the shop's API through this file. Exceptions: public pages load as little code as
// possible (lib/public-api.ts), the logout is on every page (lib/browser/session.ts), the contact form shows
// other sentences (lib/contact/client.ts), and only XMLHttpRequest reports the progress of an upload
// (lib/backoffice/client.ts).

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  json?: unknown;
  /**
   * - `session`: with the visitor's token; if there is none, or it is refused, the session ends
   * - `none`: without a token, for calls that anyone may make
   * - `{ token }`: with this token
   */
  as: "session" | "none" | { token: string };
  /** The format of the response; plain JSON by default. */
  accept?: string;
  headers?: Readonly<Record<string, string>>;
  /** The response is a file, not JSON; without a timeout. */
  asFile?: boolean;
  signal?: AbortSignal;
  /** The call goes on when the page is left; at most 64 KiB. */
  keepalive?: boolean;
  /** The page to return to after a login, if the session is over; this page by default. */
  pageAfterLogin?: string;
  /**
   * For calls inside `whileReplacingToken`, which replace the token themselves: they must not wait for its
   * lock.
   */
  replacesToken?: boolean;
}

/**
 * Calls the API and returns the response's JSON; undefined without a body.
 *
 * @param path starts with `/api`
 * @throws ApiError
 */
export async function callApi<T = unknown>(path: string, request: ApiRequest): Promise<T> {
  return (await callApiWithHeaders<T>(path, request)).body;
}

/** Awaits a DELETE; succeeds even if the object does not exist (404). @throws ApiError */
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
 * @param path starts with `/api`
 * @throws ApiError
 */
export async function callApiForFile(
  path: string,
  request: Omit<ApiRequest, "asFile">,
): Promise<Blob> {
  return (await callApiWithHeaders<Blob>(path, { ...request, asFile: true })).body;
}

/**
 * Calls the API and returns the response's JSON and headers. If the shop demands a password or a code for a
 * sensitive change, asks the visitor for it and repeats the call.
 *
 * @param path starts with `/api`
 * @throws ApiError
 */
export async function callApiWithHeaders<T = unknown>(
  path: string,
  request: ApiRequest,
): Promise<{ body: T; headers: Headers }> {
  const { method = "GET", as } = request;
  const token = as === "session" ? readSession().token : as === "none" ? null : as.token;
  const { pageAfterLogin } = request;
  if (as === "session" && token === null) throw redirectToLogin({ wasOpen: false, pageAfterLogin });
  const { status, ok, headers, body } = await send({ ...request, path, token });
  if (ok) return { body: body as T, headers };
  if (status === 401 && as === "session") {
    if (await isTokenRenewed(token, request)) return callApiWithHeaders(path, request);
    throw redirectToLogin({ wasOpen: true, pageAfterLogin });
  }
  const error = new ApiError({ status, message: `${method} ${path}: ${status}`, body });
  const proof = as === "session" ? error.neededProof : null;
  if (proof === null) throw error;
  // Another tab may have given the proof already.
  const isGiven = readSession().token !== token || (await askVisitor(proof));
  if (isGiven) return callApiWithHeaders(path, request);
  throw error;
}

/**
 * Whether a call whose token was refused may be repeated with another token. While something is being
 * written on the page, asks the visitor to log in, in a dialog over the page.
 */
export async function isTokenRenewed(
  token: string | null,
  { replacesToken = false }: Pick<ApiRequest, "replacesToken"> = {},
): Promise<boolean> {
  // A new password revokes all earlier tokens: this tab or another may just have stored a new one, or be
  // about to.
  if (!replacesToken) await tokenReplaced();
  if (readSession().token !== token) return true;
  return hasUnsavedText() && (await askVisitor("login"));
}

const TOKEN_LOCK = "token";

/**
 * Changes the visitor's token under a lock. Calls in any tab whose old token is refused wait for the lock
 * instead of ending the session.
 */
export const whileReplacingToken = <T>(run: () => Promise<T>): Promise<T> =>
  // Some browsers, and pages without https, have no locks: calls do not wait there.
  navigator.locks ? navigator.locks.request(TOKEN_LOCK, run) : run();

/** Waits until no tab is changing the visitor's token. */
export const tokenReplaced = async () =>
  navigator.locks?.request(TOKEN_LOCK, { mode: "shared" }, () => undefined);

type ParsedResponse = Pick<Response, "status" | "ok" | "headers"> & { body: unknown };

async function send({
  path,
  token,
  method = "GET",
  json,
  headers: more,
  signal,
  keepalive = false,
  accept = "application/json",
  asFile = false,
}: ApiRequest & { path: string; token: string | null }): Promise<ParsedResponse> {
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

/**
 * Ends the session and loads the login, which returns to this page by default. Returns the error to throw.
 */
export function redirectToLogin({
  wasOpen,
  pageAfterLogin = window.location.pathname + window.location.search,
}: {
  wasOpen: boolean;
  pageAfterLogin?: string | undefined;
}): ApiError {
  void endSession({
    leadTo: loginUrl(pageAfterLogin),
    ...(wasOpen && { notice: "expired" }),
  });
  return new ApiError({ status: 401, message: "The session is over.", isSessionOver: true });
}
