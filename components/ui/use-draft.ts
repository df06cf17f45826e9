import { useEffect, useEffectEvent, useState } from "react";
import { registerDirtyForm, removeDraft, storeDraft, takeDraft } from "@/lib/browser/drafts";
import { readSession, subscribeToSession } from "@/lib/browser/session";

interface DraftOptions<Values> {
  /** Identifies the form and its subject; null for a form without drafts. */
  key: string | null;
  /** The written values, as JSON; null as long as nothing is written. */
  read: () => Values | null;
  /** Puts the draft's values into the fields. */
  restore: (values: Values) => void;
}

/** Keeps a form's draft when the session ends, and restores it when the form is opened again. */
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
    const stopWatching = registerDirtyForm(() => onRead() !== null);
    const unsubscribe = subscribeToSession(() => {
      const values = readSession().token === null ? onRead() : null;
      // After a login in another tab no draft is needed: the fields still hold the values.
      if (values === null) removeDraft(key);
      else storeDraft(key, { userId, values });
    });
    return () => {
      stopWatching();
      unsubscribe();
    };
  }, [key]);

  return {
    /** The fields hold a restored draft. */
    isRestored,
    /** To be called after the form was sent. */
    forget: () => setRestored(false),
  };
}
