"use client";

import { type ReactElement, useCallback, useEffect, useState } from "react";
import { GuestArea } from "@/components/auth/guest-area";
import { useGuest } from "@/components/auth/use-guest";
import { Spinner } from "@/components/ui/spinner";
import { decoded } from "@/lib/text/percent-encoding";

/** The token in the URL of a mailed link, its last segment; empty if there is none. */
export function tokenOfUrl(): string {
  const [, , token = ""] = window.location.pathname.split("/");
  return decoded(token);
}

interface TokenCheckProps<T> {
  /** Asks the API about the token. Must be the same function in every render. */
  check: (token: string) => Promise<T>;
  loading: string;
  /** There was no answer, or a server error: nothing is known about the token. */
  failed: (retry: () => void) => ReactElement;
  answered: (answer: T) => ReactElement;
}

/** Checks the token in the URL, once it is clear that the visitor is a guest. */
export function TokenCheck<T>({ check, loading, failed, answered }: TokenCheckProps<T>) {
  const guest = useGuest();
  const [result, setResult] = useState<"loading" | "failed" | { answer: T }>("loading");
  const isReady = guest.phase === "guest";

  const load = useCallback(() => {
    setResult("loading");
    check(tokenOfUrl()).then(
      (answer) => setResult({ answer }),
      () => setResult("failed"),
    );
  }, [check]);
  useEffect(() => {
    if (isReady) load();
  }, [isReady, load]);

  return (
    <GuestArea guest={guest}>
      {result === "loading" && (
        <p className="flex items-center gap-3 text-muted">
          <Spinner />
          <span>{loading}</span>
        </p>
      )}
      {result === "failed" && failed(load)}
      {typeof result === "object" && answered(result.answer)}
    </GuestArea>
  );
}
