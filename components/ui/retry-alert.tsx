"use client";

import clsx from "clsx";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

interface RetryAlertProps {
  message: string;
  /** If it returns a promise, the button is busy until the promise settles. */
  onRetry: () => unknown;
  /** Other actions. */
  children?: ReactNode;
  className?: string;
}

export function RetryAlert({ message, onRetry, children, className }: RetryAlertProps) {
  const [attempts, setAttempts] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  /** Gets the focus when a retry has succeeded and the pressed button is gone. */
  const around = useRef<HTMLElement>(null);

  useEffect(
    () => () => {
      if (document.activeElement === document.body) around.current?.focus({ preventScroll: true });
    },
    [],
  );

  async function retry() {
    around.current = element.current?.closest<HTMLElement>("[tabindex='-1']") ?? null;
    setIsBusy(true);
    try {
      await onRetry();
    } finally {
      setIsBusy(false);
      setAttempts((count) => count + 1);
    }
  }

  return (
    <div ref={element} className={clsx("flex flex-col items-start gap-4", className)}>
      {/* A new element after each attempt, so that screen readers announce the next failure, too. */}
      <Alert key={attempts} kind="error">
        {message}
      </Alert>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" busy={isBusy} onClick={retry}>
          Réessayer
        </Button>
        {children}
      </div>
    </div>
  );
}
