"use client";

import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { handleQuestions, type Question } from "@/lib/browser/session-questions";

// Lazy, since both import the form libraries.
const ProofForm = lazy(() =>
  import("@/components/auth/proof-form").then((module) => ({ default: module.ProofForm })),
);
const LoginAgainForm = lazy(() =>
  import("@/components/auth/login-again-form").then((module) => ({
    default: module.LoginAgainForm,
  })),
);

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

interface Asked {
  question: Question;
  answer: (isGiven: boolean) => void;
}

/**
 * Asks for the password or a code when a call of this page needs one, or for a new login if the session ends
 * while something is being written. lib/api-client.ts then repeats the call; meanwhile the page stays as it is.
 */
export function Reauthentication({ Dialog }: { Dialog: ComponentType<DialogProps> }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  /** Once needed, the dialog stays mounted, so that it returns the focus when it closes. */
  const [isNeeded, setNeeded] = useState(false);

  useEffect(() => {
    let close: (() => void) | undefined;
    let pending: { question: Question; isGiven: Promise<boolean> } | null = null;
    const ask = (question: Question) =>
      new Promise<boolean>((resolve) => {
        close = () => resolve(false);
        const answer: Asked["answer"] = (isGiven) => {
          // Rendered at once, so that the dialog returns the focus before the call continues.
          flushSync(() => setAsked(null));
          resolve(isGiven);
        };
        setNeeded(true);
        setAsked({ question, answer });
      }).finally(() => {
        pending = null;
      });
    const stop = handleQuestions((question) => {
      // Concurrent calls wait for the same answer. If the session ends while a proof is pending, the answer to
      // the new question is no: the user logs in on the login page.
      if (pending && pending.question !== question) return Promise.resolve(false);
      pending ??= { question, isGiven: ask(question) };
      return pending.isGiven;
    });
    return () => {
      stop();
      close?.();
    };
  }, []);

  if (!isNeeded) return null;
  return (
    <Suspense>
      <Dialog
        open={asked !== null}
        onClose={() => asked?.answer(false)}
        title={asked?.question === "login" ? "Reconnectez-vous" : "Confirmez votre identité"}
      >
        {asked &&
          (asked.question === "login" ? (
            <LoginAgainForm answer={asked.answer} />
          ) : (
            <ProofForm proof={asked.question} answer={asked.answer} />
          ))}
      </Dialog>
    </Suspense>
  );
}
