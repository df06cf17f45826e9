import type { ReactNode } from "react";

/**
 * What a page says that could not be rendered.
 *
 * @param reference finds the fault in the server's log
 * @param children what its reader can do
 */
export function FaultMessage({
  reference,
  children,
}: {
  reference: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="page-column flex flex-col items-center gap-5 py-section text-center">
      <h1 className="text-title">Une erreur est survenue</h1>
      <p className="max-w-prose text-lg text-muted">
        La page n’a pas pu être affichée. Réessayez dans un instant : rien de ce que vous avez
        enregistré n’est perdu.
      </p>
      {children}
      {reference && <p className="text-muted text-sm">Référence : {reference}</p>}
    </div>
  );
}
