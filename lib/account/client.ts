import type { z } from "zod";
import { callApi } from "@/lib/api-client";
import { getSessionCookie, readSession, writeSession } from "@/lib/auth/client";
import type { accountAnswer } from "./resource";
import type { profileInput } from "./schemas";

export type AccountJson = z.output<typeof accountAnswer>["user"];

/** GET /api/account. @throws ApiError */
export async function getAccount(): Promise<AccountJson> {
  return (await callApi<{ user: AccountJson }>("/api/account", { as: "session" })).user;
}

/**
 * PUT /api/account. The browser's session follows: the names that it shows, and after a new
 * password the new token, since the former ones serve no longer.
 *
 * @throws ApiError
 */
export async function updateAccount(input: z.output<typeof profileInput>): Promise<AccountJson> {
  const { user, token: newToken } = await callApi<z.output<typeof accountAnswer>>("/api/account", {
    method: "PUT",
    json: input,
    as: "session",
  });
  const token = newToken ?? readSession().token;
  if (token) {
    const { id, nom, lastname, email, roles } = user;
    writeSession({ token, userId: id, userName: nom, userLastName: lastname, email, roles });
  }
  // Whatever comes of it: a page that asks for the cookie gets another one for the token.
  if (newToken) await getSessionCookie(newToken);
  return user;
}

/** `soft` closes the account, `hard` erases it. */
export type DeletionMode = "soft" | "hard";

/** DELETE /api/account/delete/{mode}. @throws ApiError */
export async function deleteAccount(mode: DeletionMode): Promise<void> {
  await callApi(`/api/account/delete/${mode}`, { method: "DELETE", as: "session" });
}
