"use client";

import { Button } from "@/components/ui/button";

/** Replaces a screen whose rendering failed. The server's log has the error, under the digest. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <h1 className="text-heading">Une erreur est survenue</h1>
      <p className="text-muted">L’écran n’a pas pu être affiché. Réessayez dans un instant.</p>
      <Button onClick={() => window.location.reload()}>Réessayer</Button>
      {error.digest && <p className="text-muted text-sm">{`Référence\u00a0: ${error.digest}`}</p>}
    </div>
  );
}
