import { withStorage } from "@/lib/browser-storage";

// What somebody was writing when their session ended. It is kept in this tab (session storage) until the same person
// opens the form again, or logs out.

const PREFIX = "draft:";

interface Draft {
  userId: number;
  values: unknown;
}

/** @param key names the form and what it is about: "review/7" */
export function storeDraft(key: string, draft: Draft): void {
  withStorage(() => sessionStorage.setItem(PREFIX + key, JSON.stringify(draft)));
}

/** Reads it and removes it; null where there is none, or somebody else's. */
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

/** Counts a form of this page, as long as it says that something is being written. Returns the function that ends it. */
export function watchWriting(isWritten: () => boolean): () => void {
  forms.add(isWritten);
  return () => {
    forms.delete(isWritten);
  };
}

/** Is something being written on this page that would be lost with it? */
export const isWriting = (): boolean => [...forms].some((isWritten) => isWritten());
