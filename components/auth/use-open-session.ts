"use client";

import { useState } from "react";
import { useDelayedRedirect } from "@/components/auth/use-delayed-redirect";
import { type Guest, pageAfterLogin } from "@/components/auth/use-guest";
import { forgetEmail } from "@/lib/browser/last-email";
import { getSessionCookie, type SessionAnswer, writeSession } from "@/lib/browser/session";
import { addPending, pageAfterAddition } from "@/lib/cart/after-login";
import { type AdditionOutcome, storeOutcome } from "@/lib/cart/pending-add";

/**
 * Stores the session of a login, adds the product that the visitor wanted before it, and leads on: to the page
 * that the visitor wanted, or to the cart.
 */
export function useOpenSession({ block }: Pick<Guest, "block">) {
  const { redirectLater, redirectNow } = useDelayedRedirect();
  const [isAdded, setIsAdded] = useState(false);

  function openSession(session: SessionAnswer): void {
    let isBlocked = !writeSession(session);
    let outcome: AdditionOutcome | null = null;
    forgetEmail();
    const cookie = getSessionCookie(session.token).then((answer) => {
      isBlocked ||= answer === "blocked";
      if (isBlocked) block();
    });
    const addition = addPending().then((result) => {
      outcome = result;
      setIsAdded(result?.failure === null);
    });
    redirectLater({
      path: () => (isBlocked ? null : leave(outcome)),
      waitFor: Promise.all([cookie, addition]),
    });
  }

  return { openSession, redirectNow, isAdded };
}

/** The page to load; it shows what became of the addition. */
function leave(outcome: AdditionOutcome | null): string {
  const returnTo = pageAfterLogin();
  if (outcome === null) return returnTo;
  storeOutcome(outcome);
  return pageAfterAddition({ returnTo, outcome });
}
