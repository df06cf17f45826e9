"use client";

import { Button } from "@/components/ui/button";
import { Modal, ModalActions } from "@/components/ui/modal";
import { formatEuros } from "@/lib/money";

interface SandboxDialogProps {
  amountCents: number;
  onAnswer: (outcome: "authorized" | "refused") => void;
}

/** What the buyer's bank would ask, in the sandbox's words. */
export function SandboxDialog({ amountCents, onAnswer }: SandboxDialogProps) {
  return (
    <Modal open onClose={() => onAnswer("refused")} title="Authentification de votre banque">
      <p>
        Votre banque vous demande de confirmer le paiement de{" "}
        <strong>{formatEuros(amountCents)}</strong> à Mini Ecommerce.
      </p>
      <p className="mt-3 text-muted text-sm">
        Démonstration&nbsp;: aucune banque n’est jointe, et aucun argent n’est débité.
      </p>
      <ModalActions>
        <Button variant="secondary" onClick={() => onAnswer("refused")}>
          Refuser
        </Button>
        <Button data-autofocus onClick={() => onAnswer("authorized")}>
          Autoriser
        </Button>
      </ModalActions>
    </Modal>
  );
}
