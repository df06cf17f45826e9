"use client";

import type { ReactNode } from "react";
import { Dialog } from "@/components/backoffice/forms/dialog";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { Spinner } from "@/components/ui/spinner";
import { useLoaded } from "@/components/ui/use-loaded";
import type { historyResource } from "@/lib/audit/resource";
import { listRows } from "@/lib/backoffice/client";
import { describeChanges } from "@/lib/backoffice/rules";
import { formatDateTime } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";

/** An entry of GET /api/admin/history/{Entity}/{id}. */
type HistoryEntry = JsonOf<typeof historyResource>;

const ACTIONS: Record<HistoryEntry["action"], string> = {
  create: "Création",
  update: "Modification",
  delete: "Suppression",
};

interface HistoryDialogProps {
  /** The API's name of the class: "Product". */
  entity: string;
  id: number;
  /** Defaults to a title with the id. */
  title?: string;
  /** The form's labels by field. */
  labels: Readonly<Record<string, string>>;
  /** Shown above the entries. */
  head?: ReactNode;
  onClose: () => void;
}

/** The changes of an object: author, time, old and new values; newest first. */
export function HistoryDialog({
  entity,
  id,
  title = `Historique de #${id}`,
  labels,
  head,
  onClose,
}: HistoryDialogProps) {
  const { data, failure, isLoading } = useLoaded(
    `/api/admin/history/${entity}/${id}`,
    listRows<HistoryEntry>,
  );
  return (
    <Dialog open onClose={onClose} title={title} size="lg">
      <div className="overflow-y-auto px-6 py-5">
        {head}
        {isLoading && <Spinner label="Chargement de l’historique" />}
        {failure && (
          <p role="alert" className="text-danger">
            L’historique n’a pas pu être chargé.
          </p>
        )}
        {data?.rows.length === 0 && <p className="text-muted">Aucune modification enregistrée.</p>}
        <ol className="flex flex-col gap-6">
          {data?.rows.map((entry) => (
            <Entry key={entry.id} entry={entry} labels={labels} />
          ))}
        </ol>
      </div>
    </Dialog>
  );
}

function Entry({
  entry: { entity, action, user, date, changes },
  labels,
}: {
  entry: HistoryEntry;
  labels: Readonly<Record<string, string>>;
}) {
  const described = describeChanges({ changes, labels });
  return (
    <li className="flex flex-col gap-2 border-line border-l-2 pl-4">
      <p>
        <span className="font-medium">
          {entity === "Refund" ? "Demande de remboursement" : ACTIONS[action]}
        </span>{" "}
        <span className="text-muted">
          le <time dateTime={date}>{formatDateTime(date)}</time> par{" "}
          <span>{user ? fullName(user) : "un compte supprimé"}</span>
        </span>
      </p>
      {described.length > 0 && (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,auto)_1fr]">
          {described.map(({ field, label, before, after }) => (
            <div key={field} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="[overflow-wrap:anywhere]">
                {before !== null && (
                  <span>
                    <del className="text-muted">{before}</del> <span aria-hidden="true">
                      →
                    </span>{" "}
                  </span>
                )}
                <ins className="no-underline">{after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
