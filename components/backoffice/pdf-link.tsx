"use client";

import { type MouseEvent, useState } from "react";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/api-client";
import { downloadPdf, pdfAddress } from "@/lib/backoffice/client";

/** What can be written where a form asks for that path. */
export const PDF_PATH_HINT =
  "Une adresse http(s) ou un chemin /api/…\u202f; tout autre texte désigne le PDF de la boutique.";

interface PdfLinkProps {
  invoiceId: number;
  /** What the invoice or its order says of where its PDF is. */
  path: string;
}

/** Saves an invoice's PDF, which the browser gets only with the session's token. */
export function PdfLink({ invoiceId, path }: PdfLinkProps) {
  const [isLoading, setIsLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);

  async function download(event: MouseEvent) {
    event.preventDefault();
    if (isLoading) return;
    setHasFailed(false);
    setIsLoading(true);
    try {
      await downloadPdf({ invoiceId, path });
    } catch (error) {
      if (!(error instanceof ApiError && error.isSessionOver)) setHasFailed(true);
    }
    setIsLoading(false);
  }

  return (
    <>
      <a
        href={pdfAddress({ invoiceId, path })}
        onClick={download}
        aria-busy={isLoading || undefined}
        className="link inline-flex items-center gap-1.5"
      >
        Télécharger
        {isLoading && <Spinner size={14} />}
      </a>
      {hasFailed && (
        <p role="alert" className="mt-1 text-danger text-xs">
          Erreur lors du téléchargement du PDF
        </p>
      )}
    </>
  );
}
