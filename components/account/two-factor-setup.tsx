"use client";

import { Fragment, useEffect, useRef } from "react";
import { CodeField } from "@/components/auth/code-field";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { useApiForm } from "@/components/ui/use-api-form";
import { type Activation, verifySetupCode } from "@/lib/auth/client";
import { codeInput } from "@/lib/auth/schemas";
import { CopyButton } from "./copy-button";

interface TwoFactorSetupProps {
  activation: Activation;
  /** A code was verified: only the recovery codes still have to be noted down. */
  isActive: boolean;
  onActivated: () => void;
}

/** Shown only once: the secret for the app, as QR code and text, and the recovery codes. */
export function TwoFactorSetup({ activation, isActive, onActivated }: TwoFactorSetupProps) {
  const { qrCodeUrl, secret, recoveryCodes } = activation;
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <div
      ref={start}
      tabIndex={-1}
      className="flex w-full flex-col gap-8 focus-visible:outline-none"
    >
      {!isActive && (
        <div>
          <h3 className="font-semibold">1. Ajoutez la boutique à votre application</h3>
          <p className="mt-1 text-muted">
            Scannez ce code avec une application d’authentification, ou saisissez-y le secret.
          </p>
          <div className="mt-4 flex flex-col gap-5 sm:flex-row sm:items-center">
            {/* biome-ignore lint/performance/noImgElement: a data: URL cannot be optimized */}
            <img
              src={qrCodeUrl}
              alt="QR code à scanner avec votre application"
              width={224}
              height={224}
              className="size-56 rounded-md border border-line bg-bg"
            />
            <div className="min-w-0">
              <p className="font-medium text-sm">Secret</p>
              <code className="mt-1 block rounded-md bg-surface px-3 py-2 font-mono">
                {secret.match(/.{1,4}/g)?.map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
                  <Fragment key={index}>
                    <span>{part}</span>
                    <wbr />
                  </Fragment>
                ))}
              </code>
              <CopyButton text={secret} label="Copier le secret" />
            </div>
          </div>
        </div>
      )}
      <RecoveryCodes codes={recoveryCodes} isNumbered={!isActive} />
      {!isActive && <CodeTest onActivated={onActivated} />}
    </div>
  );
}

function RecoveryCodes({ codes, isNumbered }: { codes: readonly string[]; isNumbered: boolean }) {
  return (
    <div>
      <h3 className="font-semibold">{`${isNumbered ? "2. " : ""}Notez vos codes de récupération`}</h3>
      <p className="mt-1 text-muted">
        Sans votre téléphone, chacun de ces codes remplace une fois celui de l’application. Ils ne
        seront plus affichés.
      </p>
      <ul className="mt-4 grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-surface px-5 py-4 font-mono sm:grid-cols-5">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join("\n")} label="Copier les codes" />
    </div>
  );
}

function CodeTest({ onActivated }: { onActivated: () => void }) {
  const form = useApiForm({
    schema: codeInput,
    fields: ["code"],
    send: async (input) => {
      const { valid } = await verifySetupCode(input);
      if (!valid) return { errors: { code: "Code invalide" } };
      onActivated();
      return {};
    },
    fallback: () => "Erreur lors du test",
  });
  return (
    <div>
      <h3 className="font-semibold">3. Saisissez le code affiché</h3>
      <form {...form.formProps} className="mt-4 flex flex-col items-start gap-4">
        <CodeField {...form.field("code")} inputMode="numeric" className="w-full max-w-48" />
        <FormAlert {...form.alertProps} />
        <Button {...form.submitProps} pendingLabel="Vérification en cours...">
          Tester le code
        </Button>
      </form>
    </div>
  );
}
