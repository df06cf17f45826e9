"use client";

import Link from "next/link";
import type { ListEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import { choicesOf } from "@/components/backoffice/shared/option-sources";
import { Customer, DATE_FILTERS, USER_FILTER } from "@/components/backoffice/shared/person-columns";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { WITHDRAWAL_STATE_LABELS } from "@/lib/backoffice/texts";
import { daysUntil, formatDate, formatDateTime } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { withdrawalResource } from "@/lib/withdrawals/admin-resource";
import { dueText } from "@/lib/withdrawals/rules";
import { WithdrawalActions } from "./withdrawal-actions";

export type WithdrawalRow = JsonOf<typeof withdrawalResource>;

const STATE_TONES: Record<WithdrawalRow["state"], BadgeTone> = {
  received: "warning",
  refunded: "success",
  refused: "neutral",
};

/** Days left from which a withdrawal is urgent. */
const URGENT_DAYS = 3;

function toneOf(days: number): BadgeTone {
  if (days < 0) return "danger";
  return days <= URGENT_DAYS ? "warning" : "neutral";
}

const fields = {
  order: {
    label: "Commande",
    column: {
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ order: { id, number, date, total } }) => (
        <>
          {id === null ? (
            <p>
              <span>{number}</span> <span className="text-muted text-xs">(supprimée)</span>
            </p>
          ) : (
            <Link href={`/backoffice/orders?search=${number}`} prefetch={false} className="link">
              {number}
            </Link>
          )}
          <p className="text-muted text-xs">
            {(date ? formatDate(date) : "") + (total === null ? "" : `, ${formatAmount(total)}`)}
          </p>
        </>
      ),
    },
  },
  buyer: {
    label: "Client",
    column: {
      className: "lg:min-w-40",
      cell: ({ buyer }) =>
        buyer ? <Customer person={buyer} /> : <span className="text-muted">Compte effacé</span>,
    },
  },
  objects: {
    label: "Objets",
    column: {
      className: "lg:min-w-48",
      cell: ({ objects, items }) => (
        <>
          <ul>
            {objects.map(({ name, quantity }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two products may have one name
              <li key={index}>{`${formatNumber(quantity)} × ${name}`}</li>
            ))}
          </ul>
          {items && <p className="mt-1 text-muted text-xs">{`Demande\u00a0: ${items}`}</p>}
        </>
      ),
    },
  },
  receivedAt: {
    label: "Reçue le",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ receivedAt }) => <time dateTime={receivedAt}>{formatDateTime(receivedAt)}</time>,
    },
  },
  refundBy: {
    label: "À rembourser avant",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ refundBy, state }) => refundBy && <Due refundBy={refundBy} state={state} />,
    },
  },
  state: {
    label: "État",
    column: {
      className: "lg:min-w-32",
      cell: ({ state, settledAt, refusalReason }) => (
        <>
          <Badge tone={STATE_TONES[state]}>{WITHDRAWAL_STATE_LABELS[state]}</Badge>
          {settledAt && <p className="mt-1 text-muted text-xs">{`Le ${formatDate(settledAt)}`}</p>}
          {refusalReason && (
            <p className="mt-1 text-muted text-xs">{`Motif\u00a0: ${refusalReason}`}</p>
          )}
        </>
      ),
    },
  },
} satisfies FieldsOf<WithdrawalRow>;

/** The last day and, for a withdrawal that is not settled, the days left. */
function Due({ refundBy, state }: { refundBy: string; state: WithdrawalRow["state"] }) {
  const days = daysUntil(new Date(refundBy));
  return (
    <>
      <time dateTime={refundBy}>{formatDate(refundBy)}</time>
      {state === "received" && (
        <p className="mt-1">
          <Badge tone={toneOf(days)}>{dueText(days)}</Badge>
        </p>
      )}
    </>
  );
}

/** Buyers create withdrawals: here none are added, and only the actions change a row. */
const withdrawals: ListEntity<WithdrawalRow> = {
  path: "/api/withdrawals",
  heading: "Rétractations",
  emptyText: "Aucune rétractation trouvée.",
  searchHint: "Client, numéro de commande",
  nameOf: ({ order }) => order.number ?? "Commande supprimée",
  fileName: "retractations",
  fields,
  filters: [
    { kind: "choice", name: "state", label: "État", options: choicesOf(WITHDRAWAL_STATE_LABELS) },
    USER_FILTER,
    ...DATE_FILTERS,
  ],
  rowActions: (withdrawal, tools) => <WithdrawalActions withdrawal={withdrawal} tools={tools} />,
};

export const BackofficeWithdrawalsScreen = () => <CrudScreen entity={withdrawals} />;
