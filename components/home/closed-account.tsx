"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { type AccountClosing, consumeAccountClosing } from "@/lib/browser/session";

const SENTENCES: Record<AccountClosing, string> = {
  soft: "Votre compte a été désactivé. Un message de confirmation vous est envoyé.",
  hard: "Votre compte a été supprimé. Un message de confirmation vous est envoyé.",
};

/** The message for visitors who come from closing their account. */
export function ClosedAccount() {
  const [closing, setClosing] = useState<AccountClosing | null>(null);
  useEffect(() => setClosing((known) => consumeAccountClosing() ?? known), []);
  if (!closing) return null;
  return (
    <div className="page-column py-4">
      <Alert kind="success">{SENTENCES[closing]}</Alert>
    </div>
  );
}
