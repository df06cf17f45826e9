"use client";

import { ShieldOff } from "lucide-react";
import { useState } from "react";
import { RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { ConfirmDialog } from "@/components/backoffice/forms/dialog";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { resetTwoFactorOf } from "@/lib/account/client";

interface TwoFactorResetProps {
  user: { id: number; name: string; lastname: string; isTwoFactorActive: boolean };
  tools: ActionTools;
}

/** Resets two-factor login for a user who has lost the authenticator app and the recovery codes. */
export function TwoFactorReset({ user, tools }: TwoFactorResetProps) {
  const [isAsking, setIsAsking] = useState(false);

  function reset() {
    setIsAsking(false);
    const done = () => ({ text: `La 2FA de ${fullName(user)} est réinitialisée.` });
    void tools.change(user.id, () => resetTwoFactorOf(user), done);
  }

  return (
    <>
      <RowButton
        shown={user.isTwoFactorActive}
        label="Réinitialiser la 2FA"
        Icon={ShieldOff}
        disabled={tools.isBusy(user.id)}
        onClick={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={`Réinitialiser la 2FA de ${fullName(user)}\u202f?`}
        confirmLabel="Réinitialiser"
        onConfirm={reset}
        onCancel={() => setIsAsking(false)}
      >
        Son mot de passe suffira pour se connecter. Toutes ses sessions seront fermées, et un e-mail
        le lui dira. Assurez-vous d’abord que c’est bien cette personne qui le demande.
      </ConfirmDialog>
    </>
  );
}
