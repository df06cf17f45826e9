"use client";

import { useRef, useState } from "react";
import { TwoFactorSetup } from "@/components/account/two-factor-setup";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { ApiError } from "@/lib/api-error";
import { type Activation, activateTwoFactor, deactivateTwoFactor } from "@/lib/auth/client";

interface TwoFactorProps {
  isActive: boolean;
  onChange: (isActive: boolean) => void;
  /** Called when the shown state is outdated: two-factor login was switched on or off elsewhere. */
  onOutdated: () => Promise<unknown>;
}

/** Two-factor login: off, being set up, or on. */
export function TwoFactor({ isActive, onChange, onOutdated }: TwoFactorProps) {
  const container = useRef<HTMLDivElement>(null);
  const [activation, setActivation] = useState<Activation | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<FormResult | null>(null);

  /** Runs a button's call; `fallback` is the message if it fails. */
  async function run(call: () => Promise<FormResult | null>, fallback: string) {
    setIsBusy(true);
    setResult(null);
    try {
      setResult(await call());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isSessionOver) return;
      setResult({ kind: "error", text: error.instruction || fallback });
      if (error.status !== 409) return;
      await onOutdated();
      focus();
    } finally {
      setIsBusy(false);
    }
  }

  /** The pressed button is removed: moves the focus to the result. */
  const focus = () => container.current?.focus({ preventScroll: true });

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
      focus();
      return { kind: "success", text: "2FA désactivé avec succès." };
    }, "Erreur lors de la désactivation");

  return (
    <div
      ref={container}
      tabIndex={-1}
      className="flex flex-col items-start gap-5 focus-visible:outline-none"
    >
      {isActive ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>}
      <FormAlert result={result} />
      {activation && (
        <TwoFactorSetup
          activation={activation}
          isActive={isActive}
          onActivated={() => {
            onChange(true);
            focus();
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
