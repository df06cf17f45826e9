"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";

/** Copies a text: a phone cannot scan its own screen's QR code. Hidden where browsers refuse (http). */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  if (!navigator.clipboard) return null;

  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setOutcome("Copié"),
      () => setOutcome("La copie a échoué\u00a0: sélectionnez le texte."),
    );

  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-sm">
      <Button variant="secondary" size="sm" onClick={copy}>
        {label}
      </Button>
      <span role="status">{outcome}</span>
    </div>
  );
}
