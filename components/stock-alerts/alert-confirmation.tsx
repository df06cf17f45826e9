"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { FormAlert, type FormResult } from "@/components/ui/form-alert";
import { Spinner } from "@/components/ui/spinner";
import { useCall } from "@/components/ui/use-call";
import { ApiError } from "@/lib/api-error";
import { cancelStockAlert, confirmStockAlert } from "@/lib/stock-alerts/client";
import { CANCEL_FAILED, CONFIRM_FAILED, LINK_ENDED } from "@/lib/stock-alerts/texts";
import { decoded } from "@/lib/text/percent-encoding";

type Confirmation = Awaited<ReturnType<typeof confirmStockAlert>>;

/** Confirms a stock alert by the token in the URL's fragment, as soon as the link is opened. */
export function AlertConfirmation() {
  const [token, setToken] = useState<string | null>(null);
  const [result, setResult] = useState<"loading" | "failed" | Confirmation>("loading");
  const [end, setEnd] = useState<FormResult | null>(null);
  const cancelling = useCall(({ sentence }) => sentence || CANCEL_FAILED);

  useEffect(() => {
    async function confirm() {
      // Without the `#`.
      const given = decoded(window.location.hash.slice(1));
      setToken(given);
      setEnd(null);
      setResult("loading");
      setResult(await check(given));
    }
    void confirm();
    // Another link may be opened while this page is already open.
    window.addEventListener("hashchange", confirm);
    return () => window.removeEventListener("hashchange", confirm);
  }, []);

  if (result === "loading")
    return (
      <p className="flex items-center gap-3 text-muted">
        <Spinner />
        <span>Confirmation de votre demande...</span>
      </p>
    );
  if (result === "failed")
    return (
      <Alert kind="error" className="w-full">
        {CONFIRM_FAILED}
      </Alert>
    );
  const { valid, message, product } = result;
  return (
    <div className="flex flex-col items-start gap-5">
      {end ? (
        <FormAlert result={end} />
      ) : (
        <Alert kind={valid ? "success" : "error"} className="w-full">
          {message}
        </Alert>
      )}
      {cancelling.problem && <Alert kind="error">{cancelling.problem}</Alert>}
      <p className="flex flex-wrap gap-3">
        {product ? (
          <ButtonLink href={`/product/${product.id}`}>Revenir au produit</ButtonLink>
        ) : (
          <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
        )}
        {valid && !end && token !== null && (
          <Button
            variant="secondary"
            busy={cancelling.isBusy}
            onClick={() =>
              cancelling.run(async () => {
                const { message: text } = await cancelStockAlert(token);
                setEnd({ kind: "success", text });
              })
            }
          >
            Annuler ma demande
          </Button>
        )}
      </p>
    </div>
  );
}

async function check(token: string): Promise<"failed" | Confirmation> {
  const invalid = { valid: false, message: LINK_ENDED, product: null };
  if (token === "") return invalid;
  try {
    return await confirmStockAlert(token);
  } catch (error) {
    if (error instanceof ApiError && error.sentence) return { ...invalid, message: error.sentence };
    return "failed";
  }
}
