"use client";

import { Button } from "@/components/ui/button";
import { Modal, ModalActions } from "@/components/ui/modal";
import { formatEuros } from "@/lib/money";
import { SHOP_NAME } from "@/lib/shop/shop-name";

interface SandboxDialogProps {
  amountCents: number;
  onAnswer: (outcome: "authorized" | "refused") => void;
}

/** The 3-D Secure challenge of the buyer's bank, as the sandbox words it. */
export function SandboxDialog({ amountCents, onAnswer }: SandboxDialogProps) {
  return (
    <Modal open onClose={() => onAnswer("refused")} title="Authentification de votre banque">
      <p>
        Votre banque vous demande de confirmer le paiement de{" "}
        <strong>{formatEuros(amountCents)}</strong> à {SHOP_NAME}.
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
