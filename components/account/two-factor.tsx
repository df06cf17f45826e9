"use client";

import { useState } from "react";
import { TwoFactorSetup } from "@/components/account/two-factor-setup";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ApiError } from "@/lib/api-client";
import { type Activation, activateTwoFactor, deactivateTwoFactor } from "@/lib/auth/calls";

interface TwoFactorProps {
  isActive: boolean;
  onChange: (isActive: boolean) => void;
}

/** Off, being set up, or on. */
export function TwoFactor({ isActive, onChange }: TwoFactorProps) {
  const [activation, setActivation] = useState<Activation | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  /** Runs a call of a button; `usual` is said where it fails. */
  async function run(call: () => Promise<FormResult | null>, usual: string) {
    setIsBusy(true);
    setResult(null);
    try {
      setResult(await call());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      const text = error.isLimit && error.sentence ? error.sentence : usual;
      setResult({ kind: "error", text });
    }
    setIsBusy(false);
  }

  const activate = () =>
    run(async () => {
      setActivation(await activateTwoFactor());
      return null;
    }, "Erreur lors de la génération du QR code");

  const deactivate = () =>
    run(async () => {
      await deactivateTwoFactor();
      setActivation(null);
      onChange(false);
      return { kind: "success", text: "2FA désactivé avec succès." };
    }, "Erreur lors de la désactivation");

  return (
    <div className="flex flex-col items-start gap-5">
      {isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>}
      <div className="w-full empty:hidden">
        <FormAlert id="two-factor-result" result={result} />
      </div>
      {activation && (
        <TwoFactorSetup
          activation={activation}
          isActive={isActive}
          onActivated={() => {
            onChange(true);
            setResult({ kind: "success", text: "2FA testé avec succès !" });
          }}
        />
      )}
      {isActive && (
        <Button
          variant="secondary"
          busy={isBusy}
          pendingLabel="Désactivation en cours..."
          onClick={deactivate}
        >
          Désactiver la 2FA
        </Button>
      )}
      {!isActive && !activation && (
        <Button busy={isBusy} pendingLabel="Activation en cours..." onClick={activate}>
          Activer la 2FA
        </Button>
      )}
    </div>
  );
}
