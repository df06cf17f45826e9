"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DraftNotice } from "@/components/ui/draft-notice";
import { TextareaField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { StarsInput } from "@/components/ui/stars-input";
import { useApiForm } from "@/components/ui/use-api-form";
import { ApiError } from "@/lib/api-error";
import { readSession } from "@/lib/browser/session";
import { createReview, type ReviewJson, updateReview } from "@/lib/reviews/client";
import { CONTENT_LENGTH } from "@/lib/reviews/rules";
import { reviewFields } from "@/lib/reviews/schemas";
import * as texts from "@/lib/reviews/texts";

interface ReviewFormProps {
  productId: number;
  /** The visitor's review to be changed; null for a new one. */
  review: ReviewJson | null;
  onSaved: (saved: { next: ReviewJson; text: string }) => void;
  /** Called when the review was deleted or one exists already, with the message that the form shows, too. */
  onOutdated: (text: string) => Promise<void>;
  onCancel: () => void;
}

export function ReviewForm({ productId, review, onSaved, onOutdated, onCancel }: ReviewFormProps) {
  // Initial values only: typed values stay if the review is deleted meanwhile. The value of a radio
  // button is a string.
  const [values] = useState(() => ({
    rating: review ? String(review.rating) : null,
    content: review?.content ?? "",
  }));
  const refusalOf = (error: ApiError) =>
    error.details || (review ? texts.EDIT_FAILED : texts.CREATE_FAILED);
  const form = useApiForm({
    schema: reviewFields,
    fields: ["rating", "content"],
    values,
    draftKey: `review/${productId}`,
    send: async (input) => {
      const { token, userId } = readSession();
      if (token !== null && userId === null) return { errors: { general: texts.AUTHOR_UNKNOWN } };
      try {
        const next = await (review
          ? updateReview({ id: review.id, ...input })
          : createReview({ productId, ...input }));
        onSaved({ next, text: review ? texts.EDITED : texts.CREATED });
      } catch (error) {
        const isOutdated = error instanceof ApiError && error.status === (review ? 404 : 409);
        if (isOutdated) await onOutdated(refusalOf(error));
        throw error;
      }
      return {};
    },
    fallback: refusalOf,
  });
  const { errorId, ...rating } = form.field("rating");
  return (
    <form
      {...form.formProps}
      aria-labelledby="review-form-title"
      className="flex flex-col gap-5 rounded-xl border border-line p-5"
    >
      <h3 id="review-form-title" className="font-semibold text-lg">
        {review ? "Modifier votre avis" : "Donner votre avis"}
      </h3>
      <DraftNotice isRestored={form.isRestored} />
      <StarsInput {...rating} legend="Note" aria-describedby={errorId} required />
      <TextareaField
        {...form.field("content")}
        label="Commentaire"
        hint={`Au moins ${CONTENT_LENGTH.min} caractères. Votre prénom et l’initiale de votre nom seront affichés.`}
        dir="auto"
        required
      />
      <FormAlert {...form.alertProps} />
      <div className="flex flex-wrap justify-end gap-3">
        {review && (
          <Button variant="secondary" onClick={onCancel} disabled={form.isSending}>
            Annuler
          </Button>
        )}
        <Button
          {...form.submitProps}
          pendingLabel={review ? "Enregistrement en cours..." : "Envoi en cours..."}
        >
          {review ? "Enregistrer" : "Envoyer"}
        </Button>
      </div>
    </form>
  );
}
