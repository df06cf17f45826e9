"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { DeleteReview } from "@/components/reviews/delete-review";
import { ReviewItem } from "@/components/reviews/review-item";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { Modal } from "@/components/ui/modal";
import { Skeleton } from "@/components/ui/skeleton";
import { type Authorship, getAuthorship, type ReviewJson } from "@/lib/reviews/client";
import { authorName } from "@/lib/reviews/rules";
import * as texts from "@/lib/reviews/texts";

// The form brings the libraries of forms along: for those who bought the product.
const ReviewForm = lazy(() =>
  import("@/components/reviews/review-form").then((module) => ({ default: module.ReviewForm })),
);

interface OwnReviewProps {
  productId: number;
  token: string;
  userId: number | null;
  /** Which review is the visitor's, as soon as that is known and whenever it changes. */
  onChange: (own: { id: number; isPublished: boolean } | null) => void;
  /** It was published, and is no longer: deleted, or waiting for moderation once more. */
  onWithdrawn: (id: number) => void;
}

type State =
  | { kind: "loading" }
  | { kind: "failed" }
  | { kind: "logged-out" }
  | ({ kind: "known"; isEditing: boolean } & Authorship);

/** What a visitor who is logged in can do: write a review, see the state of theirs, change it. */
export function OwnReview({ productId, token, userId, onChange, onWithdrawn }: OwnReviewProps) {
  const router = useRouter();
  const area = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>({ kind: "loading" });
  const [isDeleting, setDeleting] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  const show = useCallback(
    (next: State) => {
      setState(next);
      const review = next.kind === "known" ? next.review : null;
      onChange(review && { id: review.id, isPublished: review.status === "VALIDATED" });
    },
    [onChange],
  );

  const load = useCallback(async () => {
    try {
      const authorship = await getAuthorship({ productId, userId, token });
      show(
        authorship ? { kind: "known", isEditing: false, ...authorship } : { kind: "logged-out" },
      );
    } catch {
      show({ kind: "failed" });
    }
  }, [productId, userId, token, show]);

  useEffect(() => {
    void load();
    return () => onChange(null);
  }, [load, onChange]);

  if (state.kind === "loading") return <Skeleton className="h-12" />;
  if (state.kind === "logged-out") return <Alert kind="info" messages={[texts.LOGIN_TO_REVIEW]} />;
  if (state.kind === "failed")
    return (
      <div className="flex flex-col items-start gap-3">
        <Alert kind="error" messages={[texts.LOAD_FAILED]} />
        <Button variant="secondary" size="sm" onClick={() => load()}>
          Réessayer
        </Button>
      </div>
    );

  const { review, hasPurchased, isEditing } = state;

  /** After a change: what was pressed has gone, so the focus goes to what came of it. */
  function finish({ next, text }: { next: ReviewJson | null; text: string }) {
    const wasPublished = review?.status === "VALIDATED";
    if (wasPublished && next?.status !== "VALIDATED") onWithdrawn(review.id);
    show({ kind: "known", hasPurchased, review: next, isEditing: false });
    setDeleting(false);
    setResult({ kind: "success", text });
    area.current?.focus({ preventScroll: true });
    // The average and the list of the page were made with it.
    if (wasPublished) router.refresh();
  }

  function edit(isEditing: boolean) {
    setResult(null);
    show({ kind: "known", hasPurchased, review, isEditing });
  }

  return (
    <div
      ref={area}
      tabIndex={-1}
      className="flex flex-col gap-4 focus-visible:outline-none [&:not(:empty)]:mb-2"
    >
      <FormAlert id="review-result" result={result} />
      {review && !isEditing && (
        <article aria-label="Votre avis" className="rounded-xl border border-line p-5">
          <ReviewItem
            review={published(review)}
            badge={<StatusBadge status={review.status} />}
            isUnpublished={review.status !== "VALIDATED"}
          />
          {review.status === "REJECTED" && (
            <p className="mt-3 rounded-md bg-danger-soft px-4 py-3 text-danger">
              Motif du rejet&nbsp;: {review.rejectionReason ?? texts.UNEXPLAINED_REJECTION}
            </p>
          )}
          <div className="-mx-2 mt-3 flex flex-wrap gap-x-1">
            <Button variant="ghost" size="sm" className="px-2!" onClick={() => edit(true)}>
              Modifier
            </Button>
            <Button
              variant="ghost"
              size="sm"
              className="px-2!"
              onClick={() => {
                setResult(null);
                setDeleting(true);
              }}
            >
              Supprimer
            </Button>
          </div>
        </article>
      )}
      {(isEditing || (!review && hasPurchased)) && (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <ReviewForm
            productId={productId}
            review={review}
            onSaved={finish}
            onCancel={() => edit(false)}
          />
        </Suspense>
      )}
      {!review && !hasPurchased && (
        <p className="rounded-md bg-surface px-4 py-3">{texts.BUY_TO_REVIEW}</p>
      )}
      <Modal open={isDeleting} onClose={() => setDeleting(false)} title="Supprimer votre avis">
        {review && (
          <DeleteReview
            id={review.id}
            onDeleted={() => finish({ next: null, text: texts.DELETED })}
            onCancel={() => setDeleting(false)}
          />
        )}
      </Modal>
    </div>
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

/** One's own review as it looks, or would look, to everybody. */
const published = ({ user, datePublication, datePurchase, ...review }: ReviewJson) => ({
  ...review,
  publishedAt: datePublication,
  purchasedAt: datePurchase,
  author: authorName({ firstName: user.lastname, lastName: user.name }),
});
