import type { ReactNode } from "react";
import { SHOP_NAME } from "@/lib/shop/shop-name";

/**
 * The message of a page that could not be rendered.
 *
 * @param sentence says what could not be shown: `errorSentence`
 * @param reference identifies the fault in the server's log
 * @param children links and buttons
 */
export function FaultMessage({
  sentence,
  reference,
  children,
}: {
  sentence: string;
  reference: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="page-column flex flex-col items-center gap-5 py-section text-center">
      <title>{`Une erreur est survenue - ${SHOP_NAME}`}</title>
      <h1 className="text-title">Une erreur est survenue</h1>
      <div className="max-w-prose text-lg text-muted">
        <p>{sentence}</p>
        <p>Rien de ce que vous avez enregistré n’est perdu.</p>
      </div>
      {children}
      {reference && <p className="text-muted text-sm">{`Référence\u00a0: ${reference}`}</p>}
    </div>
  );
}
