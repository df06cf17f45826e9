"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { verifyEmail } from "@/lib/auth/client";
import { decoded } from "@/lib/text/percent-encoding";

/** Prefix of the URL fragment in a link that confirms a new e-mail address; the token follows. */
const FRAGMENT = "#email=";

const FAILED = "Une erreur est survenue lors de la vérification de l’adresse. Rouvrez le lien.";

/** Confirms a new e-mail address by the mailed link that has led to this page. */
export function EmailConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const [result, setResult] = useState<{ valid: boolean; message: string } | null>(null);

  useEffect(() => {
    async function confirm() {
      const { hash, pathname, search } = window.location;
      if (!hash.startsWith(FRAGMENT)) return;
      // Removes the token from the history, too.
      window.history.replaceState(window.history.state, "", pathname + search);
      try {
        const { valid, message } = await verifyEmail(decoded(hash.slice(FRAGMENT.length)));
        if (valid) onConfirmed();
        const refusal = message || FAILED;
        setResult({
          valid,
          message: valid ? "Votre nouvelle adresse e-mail est enregistrée." : refusal,
        });
      } catch {
        setResult({ valid: false, message: FAILED });
      }
    }
    void confirm();
    // The link may be opened while this page is already open.
    window.addEventListener("hashchange", confirm);
    return () => window.removeEventListener("hashchange", confirm);
  }, [onConfirmed]);

  if (!result) return null;
  return (
    <Alert kind={result.valid ? "success" : "error"} className="mb-8">
      {result.message}
    </Alert>
  );
}
