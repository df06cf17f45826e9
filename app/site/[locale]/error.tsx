"use client";

import { FaultMessage } from "@/components/layout/fault-message";
import { Button } from "@/components/ui/button";

/** A fault while a page was rendered. What went wrong is in the server's log, under the digest. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <FaultMessage reference={error.digest}>
      <Button onClick={reset}>Réessayer</Button>
    </FaultMessage>
  );
}
