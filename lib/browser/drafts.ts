import { withStorage } from "@/lib/browser/storage";

// A draft is what a user was writing in a form when the session ended. It stays in this tab (session
// storage) until the same user opens the form again or logs out.

const PREFIX = "draft:";

interface Draft {
  userId: number;
  values: unknown;
}

/** @param key the form and its subject: "review/7" */
export function storeDraft(key: string, draft: Draft): void {
  withStorage(() => sessionStorage.setItem(PREFIX + key, JSON.stringify(draft)));
}

/** Reads and removes a draft; null if there is none or it belongs to another user. */
export function takeDraft(key: string, userId: number): unknown {
  const stored = withStorage(() => {
    const text = sessionStorage.getItem(PREFIX + key);
    sessionStorage.removeItem(PREFIX + key);
    return text === null ? null : (JSON.parse(text) as Draft);
  });
  return stored?.userId === userId ? stored.values : null;
}

export function removeDraft(key: string): void {
  withStorage(() => sessionStorage.removeItem(PREFIX + key));
}

export function removeDrafts(): void {
  withStorage(() => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  });
}

const forms = new Set<() => boolean>();

/**
 * Registers a form of this page; `isDirty` says whether it holds unsent text. Returns the function that
 * unregisters it.
 */
export function registerDirtyForm(isDirty: () => boolean): () => void {
  forms.add(isDirty);
  return () => {
    forms.delete(isDirty);
  };
}

/** Does a form of this page hold text that would be lost with the page? */
export const hasUnsavedText = (): boolean => [...forms].some((isDirty) => isDirty());
