"use client";

import { InvoiceVersionLink } from "@/components/backoffice/shared/download-links";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { Alert } from "@/components/ui/alert";
import { useLoaded } from "@/components/ui/use-loaded";
import { getRow } from "@/lib/backoffice/client";
import { formatDateTime, formatLongDate } from "@/lib/dates";
import type { InvoiceVersionsJson } from "@/lib/invoices/admin-resource";
import { formatAmount } from "@/lib/money";

/** The earlier versions of an invoice, with their PDFs; nothing if it was never edited. */
export function InvoiceVersions({ id }: { id: number }) {
  const { data = [], failure } = useLoaded(
    `/api/admin/invoices/${id}/versions`,
    getRow<InvoiceVersionsJson>,
  );
  if (failure)
    return (
      <Alert kind="error" className="mb-6">
        Les versions antérieures n’ont pas pu être chargées.
      </Alert>
    );
  if (data.length === 0) return null;
  return (
    <section aria-label="Versions antérieures" className="mb-6">
      <h3 className="font-semibold">Versions antérieures</h3>
      <ul className="mt-3 divide-y divide-line border-line border-y">
        {data.map(({ version, date, totalAmount, replacedAt, replacedBy, pdfPath }) => (
          <li key={version} className="flex flex-col gap-1 py-3">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                Version du <time dateTime={date}>{formatLongDate(date)}</time>
              </span>
              <strong className="tabular-nums">{formatAmount(totalAmount)}</strong>
              <InvoiceVersionLink path={pdfPath} name={`facture-${id}-version-${version}.pdf`} />
            </p>
            <p className="text-muted text-sm">
              Remplacée le <time dateTime={replacedAt}>{formatDateTime(replacedAt)}</time>{" "}
              <span>{`par ${replacedBy ? fullName(replacedBy) : "un compte supprimé"}`}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
