"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { Modal, ModalActions } from "@/components/ui/modal";
import { useApiForm } from "@/components/ui/use-api-form";
import { deleteAccount } from "@/lib/account/client";
import { deletionForm } from "@/lib/account/schemas";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { type AccountClosing, endSession, storeAccountClosing } from "@/lib/browser/session";

const WORDS = {
  soft: {
    title: "Désactiver mon compte",
    consequences:
      "Vous ne pourrez plus vous connecter\u00a0: téléchargez d’abord les fichiers et les factures que vous voulez garder. Vos données et vos commandes sont conservées.",
    confirm: "Désactiver",
    pending: "Désactivation en cours...",
    failure: "Erreur lors de la désactivation du compte.",
  },
  hard: {
    title: "Supprimer définitivement mon compte",
    consequences:
      "Votre profil, vos adresses, votre panier et vos avis sont effacés pour toujours, et vous n’aurez plus accès à vos commandes\u00a0: téléchargez d’abord les fichiers et les factures que vous voulez garder. Seules les factures de vos achats restent archivées, parce que la loi oblige à les garder dix ans.",
    confirm: "Supprimer définitivement",
    pending: "Suppression en cours...",
    failure: "Erreur lors de la suppression du compte.",
  },
};

/** Deactivation and deletion, each behind a dialog that asks for a word. */
export function AccountDeletion({ isReady }: { isReady: boolean }) {
  const [mode, setMode] = useState<AccountClosing | null>(null);
  return (
    <div className="flex flex-col gap-6">
      {(["soft", "hard"] as const).map((each) => (
        <div key={each} className="flex flex-col items-start gap-3">
          <p className="text-muted" id={`deletion-${each}`}>
            {WORDS[each].consequences}
          </p>
          <Button
            variant={each === "hard" ? "danger-outline" : "secondary"}
            aria-describedby={`deletion-${each}`}
            disabled={!isReady}
            onClick={() => setMode(each)}
          >
            {WORDS[each].title}
          </Button>
        </div>
      ))}
      <Modal
        open={mode !== null}
        onClose={() => setMode(null)}
        title={mode === null ? "" : WORDS[mode].title}
      >
        {mode && <Confirmation mode={mode} onCancel={() => setMode(null)} />}
      </Modal>
    </div>
  );
}

function Confirmation({ mode, onCancel }: { mode: AccountClosing; onCancel: () => void }) {
  const words = WORDS[mode];
  const form = useApiForm({
    schema: deletionForm,
    fields: ["confirmation"],
    send: async () => {
      await deleteAccount(mode);
      trackEvent({ ...EVENTS.deletion, name: "compte" });
      storeAccountClosing(mode);
      await endSession({ leadTo: "/", forgetDrafts: true });
      return { isDone: true };
    },
    fallback: () => words.failure,
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <p>{words.consequences}</p>
      <TextField
        data-autofocus
        {...form.field("confirmation")}
        label="Tapez SUPPRIMER pour confirmer"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <FormAlert {...form.alertProps} />
      <ModalActions>
        <Button variant="secondary" onClick={onCancel} disabled={form.isSending}>
          Annuler
        </Button>
        <Button {...form.submitProps} variant="danger" pendingLabel={words.pending}>
          {words.confirm}
        </Button>
      </ModalActions>
    </form>
  );
}
