"use client";

import { Ban, Check } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useCall } from "@/components/ui/use-call";
import { saveRow } from "@/lib/backoffice/client";
import { registerDirtyForm } from "@/lib/browser/drafts";
import type { JsonOf } from "@/lib/http/api/resource";
import type { adminReviewResource } from "@/lib/reviews/admin-resource";
import { REJECTION_REASON_LENGTH } from "@/lib/reviews/admin-schemas";
import type { ReviewStatus } from "@/lib/reviews/rules";

export type ReviewRow = JsonOf<typeof adminReviewResource>;

/** Moderates in one request that changes nothing else. Fails if the review has changed since. */
export const moderate = (
  { id, version }: ReviewRow,
  json: { status: ReviewStatus; rejectionReason?: string },
) =>
  saveRow<ReviewRow>({
    method: "PUT",
    path: `/api/reviews/${id}`,
    json: { ...json, version },
  });

/** A form for the reason of a rejection, shown right after the rejection. */
function RejectionReason({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const [reason, setReason] = useState("");
  useEffect(() => (reason ? registerDirtyForm(() => true) : undefined), [reason]);
  // The screen shows the error.
  const { isBusy, run } = useCall(() => null);

  function send(event: FormEvent) {
    event.preventDefault();
    const rejectionReason = reason.trim();
    if (rejectionReason === "") return;
    const save = () => moderate(review, { status: "REJECTED", rejectionReason });
    void run(() => tools.change(review.id, save, () => ({ text: "Motif du rejet enregistré." })));
  }

  return (
    <form className="flex flex-col gap-2 rounded-md bg-surface px-4 py-3" onSubmit={send}>
      <p className="text-muted text-sm">{`Avis #${review.id} sur ${review.product.name}`}</p>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Motif du rejet"
          optional
          maxLength={REJECTION_REASON_LENGTH}
          className="w-72 max-w-full"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          busy={isBusy}
          pendingLabel="Enregistrement en cours..."
        >
          Ajouter le motif
        </Button>
      </div>
    </form>
  );
}

export function ModerationButtons({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const isBusy = tools.isBusy(review.id);
  const setStatus = (status: ReviewStatus) => () => moderate(review, { status });
  return (
    <>
      <RowButton
        shown={review.status !== "VALIDATED"}
        label="Valider"
        Icon={Check}
        disabled={isBusy}
        className="text-success!"
        onClick={() =>
          tools.change(review.id, setStatus("VALIDATED"), () => ({ text: "Avis validé." }))
        }
      />
      <RowButton
        shown={review.status !== "REJECTED"}
        label="Rejeter"
        Icon={Ban}
        disabled={isBusy}
        className="text-danger!"
        onClick={() =>
          tools.change(review.id, setStatus("REJECTED"), (rejected) => ({
            text: "Avis rejeté.",
            followUp: <RejectionReason key={rejected.id} review={rejected} tools={tools} />,
          }))
        }
      />
    </>
  );
}
