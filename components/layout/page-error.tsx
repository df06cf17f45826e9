"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { FaultMessage } from "@/components/layout/fault-message";
import { Button } from "@/components/ui/button";
import { errorSentence } from "@/lib/http/server/page-error";

/** The message in place of a page whose rendering failed. A reload asks the server again, which Next.js's `reset` does not. */
export function PageError({ digest }: { digest: string | undefined }) {
  const url = `${usePathname()}?${useSearchParams()}`;
  return (
    <FaultMessage sentence={errorSentence(url)} reference={digest}>
      <Button onClick={() => window.location.reload()}>Réessayer</Button>
    </FaultMessage>
  );
}
