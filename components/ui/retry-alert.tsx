"use client";

import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

interface RetryAlertProps {
  message: string;
  /** If it returns a promise, the button is busy until that settles. */
  onRetry: () => unknown;
  /** Other actions. */
  children?: ReactNode;
  className?: string;
}

/** An error message with a button to try again. */
export function RetryAlert({ message, onRetry, children, className }: RetryAlertProps) {
  const [attempts, setAttempts] = useState(0);
  const [isBusy, setIsBusy] = useState(false);

  async function retry() {
    setIsBusy(true);
    try {
      await onRetry();
    } finally {
      setIsBusy(false);
      setAttempts((count) => count + 1);
    }
  }

  return (
    <div className={clsx("flex flex-col items-start gap-4", className)}>
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
