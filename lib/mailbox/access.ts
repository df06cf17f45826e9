import { headers } from "next/headers";
import { NextRequest } from "next/server";
import { getSessionUser } from "@/lib/auth/queries";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { siteUrl } from "@/lib/env";
import { isFromThisMachine } from "@/lib/http/server/network";
import { isAdmin } from "@/lib/roles";
import { hasMailbox } from "./queries";

/**
 * May the sender of this request read the mailbox? It holds every mail, with links that open accounts. Only
 * browsers on the shop's machine and administrators may read it.
 */
export async function mayReadMailbox(): Promise<boolean> {
  if (!hasMailbox()) return false;
  const sent = await headers();
  if (isFromThisMachine(sent)) return true;
  const cookie = await readSessionCookie(
    new NextRequest(siteUrl(), { headers: new Headers(sent) }),
  );
  // The cookie stays valid after a logout and after the loss of a role.
  const user =
    cookie && (await getSessionUser({ userId: cookie.id, sessionVersion: cookie.sessionVersion }));
  return user !== null && isAdmin(user);
}
