"use client";

import clsx from "clsx";
import type { ReactNode } from "react";
import type { Guest } from "@/components/auth/use-guest";
import { Alert } from "@/components/ui/alert";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Spinner } from "@/components/ui/spinner";

/** Content for guests; visitors who are logged in see a spinner until they are redirected. */
export function GuestArea({ guest, children }: { guest: Guest; children: ReactNode }) {
  const { phase, retry } = guest;
  if (phase === "blocked")
    return (
      <Alert kind="error">
        Votre navigateur refuse les cookies de la boutique, sans lesquels votre compte ne peut pas
        s’ouvrir. Autorisez-les, puis rechargez cette page.
      </Alert>
    );
  if (phase === "unreachable")
    return <RetryAlert message="Une erreur de connexion est survenue" onRetry={retry} />;
  const isUnknown = phase === "unknown";
  return (
    <>
      <div className={clsx(phase === "connecting" && "hidden", isUnknown && "logged-in:hidden")}>
        {children}
      </div>
      {(isUnknown || phase === "connecting") && (
        <div
          className={clsx("py-10 text-center text-accent", isUnknown && "hidden logged-in:block")}
        >
          <Spinner size={28} label="Ouverture de votre compte…" />
        </div>
      )}
    </>
  );
}
