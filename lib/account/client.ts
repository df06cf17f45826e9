import type { z } from "zod";
import { callApi, whileReplacingToken } from "@/lib/api-client";
import {
  type AccountClosing,
  getSessionCookie,
  readSession,
  revokeToken,
  writeSession,
} from "@/lib/browser/session";
import type { accountAnswer } from "./resource";
import type { profileInput } from "./schemas";

export type AccountJson = z.output<typeof accountAnswer>["user"];

/** GET /api/account. @throws ApiError */
export async function getAccount(): Promise<AccountJson> {
  return (await callApi<{ user: AccountJson }>("/api/account", { as: "session" })).user;
}

/**
 * PUT /api/account. Updates the browser's session: its names and, after a new password, its token, since a
 * new password revokes earlier tokens.
 *
 * @throws ApiError
 */
export const updateAccount = (input: z.output<typeof profileInput>): Promise<AccountJson> =>
  input.password ? whileReplacingToken(() => saveAccount(input)) : saveAccount(input);

async function saveAccount(input: z.output<typeof profileInput>): Promise<AccountJson> {
  const { user, token: newToken } = await callApi<z.output<typeof accountAnswer>>("/api/account", {
    method: "PUT",
    json: input,
    as: "session",
    replacesToken: Boolean(input.password),
  });
  const { id, nom, lastname, email, roles } = user;
  const session = readSession();
  // The visitor has logged out meanwhile, or logged in as somebody else: the new token is not needed.
  if (session.token === null || session.userId !== id) {
    if (newToken) await revokeToken(newToken);
    return user;
  }
  const token = newToken ?? session.token;
  writeSession({ token, userId: id, userName: nom, userLastName: lastname, email, roles });
  // Best effort: a page that needs the cookie requests another one for the token.
  if (newToken) await getSessionCookie(newToken);
  return user;
}

/** Updates the session's names after an administrator has saved their own account. */
export function updateSessionNames({
  id,
  name,
  lastname,
  email,
}: {
  id: number;
  /** Family name. */
  name: string;
  /** Given name. */
  lastname: string;
  email: string;
}): void {
  const { token, userId, roles } = readSession();
  if (!token || id !== userId) return;
  writeSession({ token, userId, userName: name, userLastName: lastname, email, roles });
}

/** DELETE /api/account/delete/{mode}: `soft` deactivates the account, `hard` erases it. @throws ApiError */
export async function deleteAccount(mode: AccountClosing): Promise<void> {
  await callApi(`/api/account/delete/${mode}`, { method: "DELETE", as: "session" });
}

/** DELETE /api/admin/users/{id}/2fa. @throws ApiError */
export async function resetTwoFactorOf({ id }: { id: number }): Promise<void> {
  await callApi(`/api/admin/users/${id}/2fa`, { method: "DELETE", as: "session" });
}
