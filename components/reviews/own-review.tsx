"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ReviewItem } from "@/components/reviews/review-item";
import { type OwnReviewOptions, useOwnReview } from "@/components/reviews/use-own-review";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DeleteConfirmation } from "@/components/ui/delete-confirmation";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { Modal } from "@/components/ui/modal";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { deleteReview, publishedReview, type ReviewJson } from "@/lib/reviews/client";
import * as texts from "@/lib/reviews/texts";

// Lazy, since it imports the form libraries: only visitors who bought the product need them.
const ReviewForm = lazy(() =>
  import("@/components/reviews/review-form").then((module) => ({ default: module.ReviewForm })),
);

interface OwnReviewProps extends OwnReviewOptions {
  /** Called when the review is no longer published: deleted, or pending again. */
  onWithdrawn: (id: number) => void;
}

/** For visitors who are logged in: writes their review, shows its status, changes it. */
export function OwnReview({ onWithdrawn, ...options }: OwnReviewProps) {
  const router = useRouter();
  const area = useRef<HTMLDivElement>(null);
  const { state, show, load } = useOwnReview(options);
  const [isDeleting, setDeleting] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);
  useEffect(() => {
    // The message is above the form, whose button was pressed.
    const message = result && area.current?.querySelector("[role=status], [role=alert]");
    message?.scrollIntoView({ block: "nearest" });
  }, [result]);

  if (state.kind !== "loaded") return <NotLoaded kind={state.kind} onRetry={load} />;
  const { review, hasPurchased, isEditing } = state;

  /**
   * Shows the result of a change and moves the focus to it, since the pressed button is removed. If the
   * modal is open, the focus moves as soon as the modal has closed.
   */
  function finish({ next, text }: { next: ReviewJson | null; text: string }) {
    const wasPublished = review?.status === "VALIDATED";
    if (wasPublished && next?.status !== "VALIDATED") onWithdrawn(review.id);
    show({ kind: "loaded", hasPurchased, review: next, isEditing: false });
    setDeleting(false);
    setResult({ kind: "success", text });
    area.current?.focus({ preventScroll: true });
    // The page's average and list include the review.
    if (wasPublished) router.refresh();
  }

  /** Loads the review again after an error that shows that it has changed elsewhere. */
  async function showCurrent(text: string) {
    const current = await load();
    if (current?.kind !== "loaded") return;
    if (review?.status === "VALIDATED" && !current.review) {
      onWithdrawn(review.id);
      router.refresh();
    }
    // If a review can be written, the form stays, with a message of its own.
    if (!current.review && current.hasPurchased) return;
    setResult({ kind: "error", text });
    area.current?.focus({ preventScroll: true });
  }

  function edit(isEditing: boolean) {
    setResult(null);
    show({ kind: "loaded", hasPurchased, review, isEditing });
    // The pressed button is removed.
    area.current?.focus({ preventScroll: true });
  }

  return (
    <div
      ref={area}
      tabIndex={-1}
      data-author={review !== null || hasPurchased || undefined}
      className="mb-2 flex flex-col gap-4 focus-visible:outline-none"
    >
      <FormAlert result={result} />
      {review && !isEditing && (
        <ReviewCard
          review={review}
          onEdit={() => edit(true)}
          onDelete={() => {
            setResult(null);
            setDeleting(true);
          }}
        />
      )}
      {(isEditing || (!review && hasPurchased)) && (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <ReviewForm
            productId={options.productId}
            review={review}
            onSaved={finish}
            onOutdated={showCurrent}
            onCancel={() => edit(false)}
          />
        </Suspense>
      )}
      {!review && !hasPurchased && (
        <p className="rounded-md bg-surface px-4 py-3">{texts.BUY_TO_REVIEW}</p>
      )}
      <Modal
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title="Supprimer votre avis"
        returnFocus={area}
      >
        {review && (
          <DeleteConfirmation
            onConfirm={async () => {
              await deleteReview(review.id);
              trackEvent({ ...EVENTS.deletion, name: "avis" });
              finish({ next: null, text: texts.DELETED });
            }}
            onCancel={() => setDeleting(false)}
            failure={texts.DELETE_FAILED}
          >
            <p>
              Votre avis et sa note seront retirés de la boutique. Vous pourrez en écrire un autre.
            </p>
          </DeleteConfirmation>
        )}
      </Modal>
    </div>
  );
}

interface NotLoadedProps {
  kind: "loading" | "failed" | "logged-out";
  onRetry: () => Promise<unknown>;
}

function NotLoaded({ kind, onRetry }: NotLoadedProps) {
  if (kind === "loading") return <Skeleton className="h-12" />;
  if (kind === "logged-out")
    return (
      <Alert kind="info" live={false}>
        {texts.LOGIN_TO_REVIEW}
      </Alert>
    );
  return <RetryAlert message={texts.LOAD_FAILED} onRetry={onRetry} />;
}

interface ReviewCardProps {
  review: ReviewJson;
  onEdit: () => void;
  onDelete: () => void;
}

function ReviewCard({ review, onEdit, onDelete }: ReviewCardProps) {
  return (
    <article aria-label="Votre avis" className="rounded-xl border border-line p-5">
      <ReviewItem
        review={publishedReview(review)}
        badge={<StatusBadge status={review.status} />}
        isUnpublished={review.status !== "VALIDATED"}
      />
      {review.status === "REJECTED" && (
        <p className="mt-3 rounded-md bg-danger-soft px-4 py-3 text-danger">
          {`Motif du rejet\u00a0: ${review.rejectionReason ?? texts.UNEXPLAINED_REJECTION}`}
        </p>
      )}
      <div className="-mx-2 mt-3 flex flex-wrap gap-x-1">
        <Button variant="ghost" size="sm" className="px-2!" onClick={onEdit}>
          Modifier
        </Button>
        <Button variant="ghost" size="sm" className="px-2!" onClick={onDelete}>
          Supprimer
        </Button>
      </div>
    </article>
  );
}

function StatusBadge({ status }: Pick<ReviewJson, "status">) {
  if (status === "PENDING")
    return (
      <Badge tone="warning" className="whitespace-normal!">
        Votre avis (en attente de validation)
      </Badge>
    );
  if (status === "REJECTED") return <Badge tone="danger">Rejeté</Badge>;
  return <Badge tone="accent">Votre avis</Badge>;
}
