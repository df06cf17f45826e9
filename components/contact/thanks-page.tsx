import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { MESSAGE_SENT } from "@/lib/contact/texts";

/** The response to the contact form without JavaScript. */
export function ThanksPage() {
  return (
    <div className="page-column flex flex-col items-center gap-6 py-section">
      <h1 className="text-title">Contact</h1>
      <Alert kind="success" live={false}>
        {MESSAGE_SENT}
      </Alert>
      <p className="flex flex-wrap justify-center gap-3">
        <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Retour à l’accueil
        </ButtonLink>
      </p>
    </div>
  );
}
