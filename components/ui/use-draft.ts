import { useEffect, useEffectEvent, useState } from "react";
import { readSession, subscribeToSession } from "@/lib/browser-session";
import { removeDraft, storeDraft, takeDraft, watchWriting } from "@/lib/drafts";

interface DraftOptions<Values> {
  /** Names the form and what it is about; null for a form that keeps nothing. */
  key: string | null;
  /** What was written, as JSON; null as long as that is nothing. */
  read: () => Values | null;
  /** Puts it into the fields. */
  restore: (values: Values) => void;
}

/** Keeps what is being written when the session ends, and puts it back when the form is opened again. */
export function useDraft<Values>({ key, read, restore }: DraftOptions<Values>) {
  const [isRestored, setRestored] = useState(false);
  const onRead = useEffectEvent(read);
  const onRestore = useEffectEvent(restore);

  useEffect(() => {
    const { userId } = readSession();
    if (key === null || userId === null) return;
    const draft = takeDraft(key, userId);
    if (draft !== null) {
      onRestore(draft as Values);
      setRestored(true);
    }
    const stopWatching = watchWriting(() => onRead() !== null);
    const unsubscribe = subscribeToSession(() => {
      const values = readSession().token === null ? onRead() : null;
      // After a login in another tab the fields still hold it.
      if (values === null) removeDraft(key);
      else storeDraft(key, { userId, values });
    });
    return () => {
      stopWatching();
      unsubscribe();
    };
  }, [key]);

  return {
    /** The fields hold what was kept. */
    isRestored,
    /** After it was sent. */
    forget: () => setRestored(false),
  };
}
