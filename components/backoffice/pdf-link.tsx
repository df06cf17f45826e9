"use client";

import { type MouseEvent, useState } from "react";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/api-error";
import { downloadPdf, pdfUrl } from "@/lib/backoffice/client";

/** The hint of form fields for that path. */
export const PDF_PATH_HINT =
  "Une adresse http(s) ou un chemin /api/…\u202f; tout autre texte désigne le PDF de la boutique.";

interface PdfLinkProps {
  invoiceId: number;
  /** The PDF's path or URL, as the invoice or its order has it. */
  path: string;
}

/** Downloads an invoice's PDF, which needs the session's token. */
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
        href={pdfUrl({ invoiceId, path })}
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
