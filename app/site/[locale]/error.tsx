"use client";

import { Button } from "@/components/ui/button";

/** A fault while a page was rendered. What went wrong is in the server's log, under the digest. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <div className="page-column flex flex-col items-center gap-5 py-section text-center">
      <h1 className="text-title">Une erreur est survenue</h1>
      <p className="max-w-prose text-lg text-muted">
        La page n’a pas pu être affichée. Réessayez dans un instant : rien de ce que vous avez
        enregistré n’est perdu.
      </p>
      <Button onClick={reset}>Réessayer</Button>
      {error.digest && <p className="text-muted text-sm">Référence : {error.digest}</p>}
    </div>
  );
}
