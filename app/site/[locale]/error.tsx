"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { FaultMessage } from "@/components/layout/fault-message";
import { Button } from "@/components/ui/button";
import { errorSentence } from "@/lib/http/server/page-error";

/**
 * Replaces a page whose rendering failed. The server's log has the error, under the digest. A reload asks the server again,
 * which Next.js's `reset` does not.
 */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  const url = `${usePathname()}?${useSearchParams()}`;
  return (
    <FaultMessage sentence={errorSentence(url)} reference={error.digest}>
      <Button onClick={() => window.location.reload()}>Réessayer</Button>
    </FaultMessage>
  );
}
