"use client";

import { useEffect, useState } from "react";
import { GuestArea } from "@/components/auth/guest-area";
import { useDelayedRedirect } from "@/components/auth/use-delayed-redirect";
import { useGuest } from "@/components/auth/use-guest";
import { useTokenCheck } from "@/components/auth/use-token-check";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { ApiError } from "@/lib/api-error";
import { verifyEmail } from "@/lib/auth/client";
import { VERIFIED } from "@/lib/auth/texts";

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
  const guest = useGuest();
  const check = useTokenCheck({ guest, checkToken });
  return (
    <GuestArea guest={guest}>
      {check.state === "loading" && (
        <p className="flex items-center gap-3 text-muted">
          <Spinner />
          Vérification de votre compte en cours...
        </p>
      )}
      {check.state === "answered" && check.answer.valid && (
        <Success message={check.answer.message || VERIFIED} />
      )}
      {check.state === "answered" && !check.answer.valid && (
        <Refusal message={check.answer.message || VERIFICATION_FAILED} />
      )}
      {check.state === "failed" && (
        <Refusal message={VERIFICATION_FAILED}>
          <Button variant="secondary" onClick={check.retry}>
            Réessayer
          </Button>
        </Refusal>
      )}
    </GuestArea>
  );
}

function Success({ message }: { message: string }) {
  const redirectLater = useDelayedRedirect();
  const [secondsLeft, setSecondsLeft] = useState(COUNTDOWN);
  useEffect(() => {
    const end = Date.now() + COUNTDOWN * 1000;
    redirectLater({ path: "/login", delay: COUNTDOWN * 1000 });
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
        Redirection vers la page de connexion dans {secondsLeft}&nbsp;
        {secondsLeft > 1 ? "secondes" : "seconde"}.
      </p>
      <ButtonLink href="/login" prefetch={false}>
        Se connecter
      </ButtonLink>
    </div>
  );
}

function Refusal({ message, children }: { message: string; children?: React.ReactNode }) {
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
        <ButtonLink href="/register" prefetch={false}>
          S’inscrire
        </ButtonLink>
        <ButtonLink href="/login" prefetch={false} variant="secondary">
          Se connecter
        </ButtonLink>
      </p>
    </div>
  );
}
