import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { MESSAGE_SENT } from "@/lib/contact/texts";

/** The answer to the contact form where no script can show it. */
export function ThanksPage() {
  return (
    <div className="page-column flex flex-col items-center gap-6 py-section">
      <h1 className="text-title">Contact</h1>
      <Alert kind="success" messages={[MESSAGE_SENT]} />
      <p className="flex flex-wrap justify-center gap-3">
        <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Retour à l’accueil
        </ButtonLink>
      </p>
    </div>
  );
}
