"use client";

import { useEffect, useState } from "react";
import { TokenCheck } from "@/components/auth/token-check";
import { useDelayedRedirect } from "@/components/auth/use-delayed-redirect";
import { returnPath, useReturnPath } from "@/components/auth/use-return-path";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { ApiError } from "@/lib/api-error";
import { verifyEmail } from "@/lib/auth/client";
import { VERIFIED } from "@/lib/auth/texts";
import { guestUrl, loginUrl } from "@/lib/guards";

/** Seconds until the login page. */
const COUNTDOWN = 6;
const VERIFICATION_FAILED = "Une erreur est survenue lors de la vérification du compte";

async function checkToken(token: string) {
  if (token === "") return { valid: false, message: "Token de vérification manquant" };
  try {
    return await verifyEmail(token);
  } catch (error) {
    if (error instanceof ApiError && error.sentence)
      return { valid: false, message: error.sentence };
    throw error;
  }
}

/** Verifies an e-mail address by a mailed link, as soon as the link is opened. */
export function VerificationScreen() {
  return (
    <TokenCheck
      check={checkToken}
      loading="Vérification de votre compte en cours..."
      failed={(retry) => (
        <Refusal message={VERIFICATION_FAILED}>
          <Button variant="secondary" onClick={retry}>
            Réessayer
          </Button>
        </Refusal>
      )}
      answered={({ valid, message }) =>
        valid ? (
          <Success message={message || VERIFIED} />
        ) : (
          <Refusal message={message || VERIFICATION_FAILED} />
        )
      }
    />
  );
}

function Success({ message }: { message: string }) {
  const { redirectLater } = useDelayedRedirect();
  const returnTo = useReturnPath();
  const [secondsLeft, setSecondsLeft] = useState(COUNTDOWN);
  useEffect(() => {
    const end = Date.now() + COUNTDOWN * 1000;
    redirectLater({ path: () => loginUrl(returnPath()), delay: COUNTDOWN * 1000 });
    // Timers of background tabs are throttled, so the clock decides.
    const timer = setInterval(
      () => setSecondsLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))),
      1000,
    );
    return () => clearInterval(timer);
  }, [redirectLater]);
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert kind="success" className="w-full">
        {message}
      </Alert>
      <p className="text-muted">
        {`Redirection vers la page de connexion dans ${secondsLeft}\u00a0${secondsLeft > 1 ? "secondes" : "seconde"}.`}
      </p>
      <ButtonLink href={loginUrl(returnTo)} prefetch={false}>
        Continuer
      </ButtonLink>
    </div>
  );
}

function Refusal({ message, children }: { message: string; children?: React.ReactNode }) {
  const returnTo = useReturnPath();
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert kind="error" className="w-full">
        {message}
      </Alert>
      <p className="text-muted">
        Un lien est valable 48&nbsp;heures. S’il est trop ancien, connectez-vous&nbsp;: nous vous en
        enverrons un autre. Sans compte, inscrivez-vous.
      </p>
      <p className="flex flex-wrap gap-3">
        {children}
        <ButtonLink href={guestUrl("/register", returnTo)} prefetch={false}>
          S’inscrire
        </ButtonLink>
        <ButtonLink href={loginUrl(returnTo)} prefetch={false} variant="secondary">
          Se connecter
        </ButtonLink>
      </p>
    </div>
  );
}
