"use client";

import type { MouseEvent, ReactNode } from "react";
import { Spinner } from "@/components/ui/spinner";
import { useCall } from "@/components/ui/use-call";
import { downloadPdf, pdfUrl } from "@/lib/backoffice/client";
import { downloadFile } from "@/lib/browser/download-file";
import { downloadCreditNote } from "@/lib/credit-notes/client";

/** The hint of form fields for the path of an invoice's PDF. */
export const PDF_PATH_HINT =
  "Une adresse http(s) ou un chemin /api/…\u202f; tout autre texte désigne le PDF de la boutique.";

interface InvoiceLinkProps {
  invoiceId: number;
  /** The path or URL of the PDF, from the invoice or its order. */
  path: string;
}

export const InvoiceLink = (invoice: InvoiceLinkProps) => (
  <DownloadLink href={pdfUrl(invoice)} download={() => downloadPdf(invoice)}>
    Télécharger
  </DownloadLink>
);

export const CreditNoteLink = ({ id, number }: { id: number; number: string | null }) => (
  <DownloadLink download={() => downloadCreditNote(id)}>
    {number === null ? "Télécharger l’avoir" : `Télécharger l’avoir ${number}`}
  </DownloadLink>
);

export const InvoiceVersionLink = (version: { path: string; name: string }) => (
  <DownloadLink download={() => downloadFile(version)}>Télécharger cette version</DownloadLink>
);

interface DownloadLinkProps {
  href?: string;
  download: () => Promise<void>;
  children: ReactNode;
}

/** Downloads a PDF with the session's token, which a plain link would not send. */
function DownloadLink({ href, download, children }: DownloadLinkProps) {
  const { isBusy, problem, run } = useCall(() => "Erreur lors du téléchargement du PDF");
  const props = {
    "aria-busy": isBusy || undefined,
    className: "link inline-flex items-center gap-1.5 text-sm",
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      void run(download);
    },
    children: (
      <>
        {children}
        {isBusy && <Spinner size={14} />}
      </>
    ),
  };
  return (
    <>
      {href ? <a {...props} href={href} /> : <button {...props} type="button" />}
      {problem && (
        <span role="alert" className="mt-1 block text-danger text-xs">
          {problem}
        </span>
      )}
    </>
  );
}
