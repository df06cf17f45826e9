import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import type {
  activationAnswer,
  codeAnswer,
  loginAnswer,
  reauthenticationAnswer,
} from "@/lib/auth/resource";
import type { ReauthenticationInput, registrationInput } from "@/lib/auth/schemas";
import { readSession, replaceToken, type SessionAnswer } from "@/lib/browser/session";

// The browser's calls for logging in, registering and new passwords. They are apart from
// lib/browser/session.ts, since every page loads that file.

/** A session; or, if a code is required, a token for the second step. */
export type LoginOutcome = { session: SessionAnswer } | { tempToken: string };

/** POST /api/login_check. @throws ApiError */
export async function logIn(input: { username: string; password: string }): Promise<LoginOutcome> {
  const request = { method: "POST", json: input, as: "none" } as const;
  try {
    const answer = await callApi<z.output<typeof loginAnswer>>("/api/login_check", request);
    return pendingOf(answer) ?? { session: requireSession(answer) };
  } catch (error) {
    // A code may also be required by an error response.
    const pending = error instanceof ApiError ? pendingOf(error.body) : null;
    if (pending) return pending;
    throw error;
  }
}

/** @throws ApiError if another server answers with success but without a session */
function requireSession(answer: unknown): SessionAnswer {
  if (typeof answer === "object" && answer !== null && "token" in answer)
    return answer as SessionAnswer;
  const message = "The response to the login contains no token.";
  throw new ApiError({ status: 200, message, body: answer });
}

function pendingOf(body: unknown): { tempToken: string } | null {
  if (typeof body !== "object" || body === null) return null;
  const { "2fa_required": isRequired, tempToken } = body as Record<string, unknown>;
  return isRequired && typeof tempToken === "string" ? { tempToken } : null;
}

export type CodeAnswer = z.output<typeof codeAnswer>;

/** POST /api/2fa/verify: the second step of a login. @throws ApiError */
export function verifyLoginCode({
  tempToken: token,
  code,
}: {
  tempToken: string;
  code: string;
}): Promise<CodeAnswer> {
  return callApi("/api/2fa/verify", { method: "POST", json: { code }, as: { token } });
}

/** POST /api/2fa/verify: a logged-in user's test of the app; the first good code activates it. */
export function verifySetupCode(input: { code: string }): Promise<CodeAnswer> {
  return callApi("/api/2fa/verify", { method: "POST", json: input, as: "session" });
}

export type Activation = z.output<typeof activationAnswer>;

/** POST /api/2fa/activate. @throws ApiError */
export function activateTwoFactor(): Promise<Activation> {
  return callApi("/api/2fa/activate", { method: "POST", as: "session" });
}

/** POST /api/2fa/deactivate. @throws ApiError */
export function deactivateTwoFactor(): Promise<{ message: string }> {
  return callApi("/api/2fa/deactivate", { method: "POST", as: "session" });
}

/**
 * POST /api/reauthenticate. Stores the new token. It expires when the former token would have, so the
 * session cookie stays as it is.
 *
 * @throws ApiError
 */
export async function reauthenticate(input: ReauthenticationInput): Promise<void> {
  const { token: former } = readSession();
  const { token } = await callApi<z.output<typeof reauthenticationAnswer>>("/api/reauthenticate", {
    method: "POST",
    json: input,
    as: "session",
    // The call may be made inside `whileReplacingToken`, and must not wait for its lock.
    replacesToken: true,
  });
  if (former !== null) replaceToken({ former, token });
}

/** POST /api/register. @throws ApiError */
export function register(input: z.output<typeof registrationInput>): Promise<{ message?: string }> {
  return callApi("/api/register", { method: "POST", json: input, as: "none" });
}

/** GET /api/verify-email/{token}. @throws ApiError */
export function verifyEmail(token: string): Promise<{ valid: boolean; message?: string }> {
  return callApi(`/api/verify-email/${encodeURIComponent(token)}`, { as: "none" });
}

/** POST /api/reset-password. @throws ApiError */
export function requestPasswordReset(input: { email: string }): Promise<{ message?: string }> {
  return callApi("/api/reset-password", { method: "POST", json: input, as: "none" });
}

/** GET /api/reset-password/verify/{token}. @throws ApiError */
export async function isResetToken(token: string): Promise<boolean> {
  const path = `/api/reset-password/verify/${encodeURIComponent(token)}`;
  return (await callApi<{ valid: boolean }>(path, { as: "none" })).valid;
}

/** POST /api/reset-password/confirm. @throws ApiError */
export function resetPassword(input: {
  token: string;
  password: string;
}): Promise<{ message?: string }> {
  return callApi("/api/reset-password/confirm", { method: "POST", json: input, as: "none" });
}
