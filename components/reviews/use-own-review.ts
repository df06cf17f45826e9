"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { hasUnsavedText } from "@/lib/browser/drafts";
import { type Authorship, getAuthorship } from "@/lib/reviews/client";

type OwnReviewState =
  | { kind: "loading" }
  | { kind: "failed" }
  | { kind: "logged-out" }
  | ({ kind: "loaded"; isEditing: boolean } & Authorship);

export type OwnReviewId = { id: number; rating: number; isPublished: boolean };

export interface OwnReviewOptions {
  productId: number;
  token: string;
  userId: number | null;
  /** Called with the visitor's review, once it is known and whenever it changes. */
  onChange: (own: OwnReviewId | null) => void;
}

/** The visitor's review of a product, and whether one can be written. */
export function useOwnReview({ productId, token, userId, onChange }: OwnReviewOptions) {
  const [state, setState] = useState<OwnReviewState>({ kind: "loading" });
  const lastRequest = useRef(0);

  const show = useCallback(
    (next: OwnReviewState) => {
      setState(next);
      const review = next.kind === "loaded" ? next.review : null;
      onChange(
        review && {
          id: review.id,
          rating: review.rating,
          isPublished: review.status === "VALIDATED",
        },
      );
    },
    [onChange],
  );

  /** Returns the new state; null if another request has started since. */
  const load = useCallback(async (): Promise<OwnReviewState | null> => {
    lastRequest.current += 1;
    const request = lastRequest.current;
    let next: OwnReviewState;
    try {
      const authorship = await getAuthorship({ productId, userId, token });
      next = authorship
        ? { kind: "loaded", isEditing: false, ...authorship }
        : { kind: "logged-out" };
    } catch {
      next = { kind: "failed" };
    }
    if (lastRequest.current !== request) return null;
    show(next);
    return next;
  }, [productId, userId, token, show]);

  useEffect(() => {
    // A visitor who logs in again over the form goes on writing: keep the form.
    if (!hasUnsavedText()) void load();
  }, [load]);

  useEffect(
    () => () => {
      // Ignores a pending response: it is about a user who has logged out.
      lastRequest.current += 1;
      onChange(null);
    },
    [onChange],
  );

  return { state, show, load };
}
