"use client";

import { useEffect, useRef, useState } from "react";
import { Spinner } from "@/components/ui/spinner";

/**
 * Beside a sentence that announces a redirect: redirects at once. Takes the focus, since the form's button,
 * which had it, is disabled now.
 */
export function SkipWait({ onSkip }: { onSkip: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);

  function skip() {
    setIsLeaving(true);
    onSkip();
  }

  return (
    <span className="inline-flex items-center gap-2">
      <button ref={button} type="button" onClick={skip} className="link min-h-8 font-medium">
        Continuer
      </button>
      {isLeaving && <Spinner size={16} />}
    </span>
  );
}
