"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { FaultMessage } from "@/components/layout/fault-message";
import { Button } from "@/components/ui/button";
import { errorSentence } from "@/lib/http/server/page-error";

/** Replaces a page whose rendering failed. The server's log has the error, under the digest. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const url = `${usePathname()}?${useSearchParams()}`;
  return (
    <FaultMessage sentence={errorSentence(url)} reference={error.digest}>
      <Button onClick={reset}>Réessayer</Button>
    </FaultMessage>
  );
}
