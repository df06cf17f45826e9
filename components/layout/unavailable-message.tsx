import { ButtonLink, buttonClass } from "@/components/ui/button";
import { REFERENCE_MARK } from "@/lib/http/built-page-mark";

/** What a page says that could not be rendered, with or without JavaScript. */
export function UnavailableMessage() {
  return (
    <div className="page-column flex flex-col items-center gap-5 py-section text-center">
      <h1 className="text-title">Une erreur est survenue</h1>
      <p className="max-w-prose text-lg text-muted">
        La page n’a pas pu être affichée. Réessayez dans un instant : rien de ce que vous avez
        enregistré n’est perdu.
      </p>
      <p className="flex flex-wrap justify-center gap-3">
        {/* biome-ignore lint/a11y/useValidAnchor: it leads to the address of whichever page this stands in for */}
        <a href="" className={buttonClass({})}>
          Réessayer
        </a>
        <ButtonLink href="/" variant="secondary" prefetch={false}>
          Retour à l’accueil
        </ButtonLink>
      </p>
      <p className="text-muted text-sm">Référence : {REFERENCE_MARK}</p>
    </div>
  );
}
