"use client";

import { useState } from "react";
import { useSWRConfig } from "swr";
import { ConfirmDialog } from "@/components/backoffice/forms/dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useCall } from "@/components/ui/use-call";
import { deleteRow } from "@/lib/backoffice/client";
import { type DashboardJson, retryFailedMails } from "@/lib/dashboard/client";
import { formatDateTime } from "@/lib/dates";
import { formatNumber } from "@/lib/numbers";

const CHANGE_FAILED = "Les e-mails n’ont pas pu être modifiés. Réessayez.";

type FailedMailsJson = DashboardJson["failedMails"];

/** The mails that could not be sent: admins correct the cause and have them sent again, or drop them. */
export function FailedMails({ mails: { total, items } }: { mails: FailedMailsJson }) {
  const { mutate } = useSWRConfig();
  const { isBusy, problem, run } = useCall(({ sentence }) => sentence || CHANGE_FAILED);

  const change = (call: () => Promise<unknown>) =>
    void run(async () => {
      await call();
      await mutate((key) => Array.isArray(key) && key[0] === "dashboard");
    });

  return (
    <section
      aria-labelledby="failed-mails"
      className="rounded-lg border border-line p-4 text-sm md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="failed-mails" className="font-semibold text-base">
          {`E-mails non remis (${formatNumber(total)})`}
        </h2>
        <Button
          variant="secondary"
          size="sm"
          disabled={isBusy}
          onClick={() => change(retryFailedMails)}
        >
          Tout réessayer
        </Button>
      </div>
      {problem && (
        <Alert kind="error" className="mt-3">
          {problem}
        </Alert>
      )}
      <ul className="mt-2 divide-y divide-line">
        {items.map((mail) => (
          <FailedMail
            key={mail.id}
            mail={mail}
            isBusy={isBusy}
            onDelete={() => change(() => deleteRow(`/api/admin/mails/${mail.id}`))}
          />
        ))}
      </ul>
    </section>
  );
}

function FailedMail({
  mail: { title, recipient, date, reason },
  isBusy,
  onDelete,
}: {
  mail: FailedMailsJson["items"][number];
  isBusy: boolean;
  onDelete: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);

  function confirm() {
    setIsAsking(false);
    onDelete();
  }

  return (
    <li className="flex justify-between gap-4 py-2.5">
      <span className="min-w-0">
        <span className="block break-words font-medium">{`${title}, à ${recipient}`}</span>
        <span className="block break-words text-muted">
          {formatDateTime(date) + (reason && `, réponse du fournisseur\u00a0: ${reason}`)}
        </span>
      </span>
      <Button
        variant="secondary"
        size="sm"
        className="shrink-0 self-start"
        aria-label={`Supprimer l’e-mail à ${recipient}`}
        disabled={isBusy}
        onClick={() => setIsAsking(true)}
      >
        Supprimer
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Supprimer l’e-mail à ${recipient}\u202f?`}
        confirmLabel="Supprimer"
        onConfirm={confirm}
        onCancel={() => setIsAsking(false)}
      >
        {`${recipient} ne le recevra pas.`}
      </ConfirmDialog>
    </li>
  );
}
