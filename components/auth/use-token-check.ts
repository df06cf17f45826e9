"use client";

import { useEffect, useState } from "react";
import type { Guest } from "@/components/auth/use-guest";

/** The token in the URL of a mailed link, its last segment; empty where there is none. */
export function tokenOfUrl(): string {
  const [, , token = ""] = window.location.pathname.split("/");
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

type TokenCheck<T> =
  | { state: "loading" }
  | { state: "answered"; answer: T }
  /** No answer, or a server error: nothing is known about the token. */
  | { state: "failed" };

/**
 * Checks the token in the URL, once it is clear that the visitor is a guest.
 *
 * @param checkToken must be the same function in every render
 */
export function useTokenCheck<T>({
  guest: { phase },
  checkToken,
}: {
  guest: Guest;
  checkToken: (token: string) => Promise<T>;
}): TokenCheck<T> & { retry: () => void } {
  const [check, setCheck] = useState<TokenCheck<T>>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);
  const isReady = phase === "guest";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt checks once more
  useEffect(() => {
    if (!isReady) return;
    let isCancelled = false;
    const settle = (result: TokenCheck<T>) => {
      if (!isCancelled) setCheck(result);
    };
    checkToken(tokenOfUrl()).then(
      (answer) => settle({ state: "answered", answer }),
      () => settle({ state: "failed" }),
    );
    return () => {
      isCancelled = true;
    };
  }, [isReady, checkToken, attempt]);

  const retry = () => {
    setCheck({ state: "loading" });
    setAttempt(attempt + 1);
  };
  return { ...check, retry };
}
