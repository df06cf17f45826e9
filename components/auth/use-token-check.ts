"use client";

import { useEffect, useState } from "react";
import type { Guest } from "@/components/auth/use-guest";

/** The last part of the address: the token of a link in a mail; empty where there is none. */
export function tokenOfAddress(): string {
  const [, , token = ""] = window.location.pathname.split("/");
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

export type TokenCheck<T> =
  | { state: "loading" }
  | { state: "answered"; answer: T }
  /** No answer, or a fault of the shop's: nothing is known about the token. */
  | { state: "failed" };

/**
 * Asks the shop about the token in the address, once it is clear that the visitor may see the page.
 *
 * @param ask has to be the same function at every rendering
 */
export function useTokenCheck<T>({
  guest: { phase },
  ask,
}: {
  guest: Guest;
  ask: (token: string) => Promise<T>;
}): TokenCheck<T> & { retry: () => void } {
  const [check, setCheck] = useState<TokenCheck<T>>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);
  const isReady = phase === "guest";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks once more
  useEffect(() => {
    if (!isReady) return;
    let isLeft = false;
    const settle = (result: TokenCheck<T>) => {
      if (!isLeft) setCheck(result);
    };
    ask(tokenOfAddress()).then(
      (answer) => settle({ state: "answered", answer }),
      () => settle({ state: "failed" }),
    );
    return () => {
      isLeft = true;
    };
  }, [isReady, ask, attempt]);

  const retry = () => {
    setCheck({ state: "loading" });
    setAttempt(attempt + 1);
  };
  return { ...check, retry };
}
