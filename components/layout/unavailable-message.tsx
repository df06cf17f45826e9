import { ButtonLink, buttonClass } from "@/components/ui/button";
import { REFERENCE_MARK, SENTENCE_MARK } from "@/lib/http/built-page-mark";
import { FaultMessage } from "./fault-message";

/** What takes the place of a page that could not be rendered, with or without JavaScript. */
export function UnavailableMessage() {
  return (
    <FaultMessage sentence={SENTENCE_MARK} reference={REFERENCE_MARK}>
      <p className="flex flex-wrap justify-center gap-3">
        {/* biome-ignore lint/a11y/useValidAnchor: it leads to the address of whichever page this stands in for */}
        <a href="" className={buttonClass({})}>
          Réessayer
        </a>
        <ButtonLink href="/" variant="secondary" prefetch={false}>
          Retour à l’accueil
        </ButtonLink>
      </p>
    </FaultMessage>
  );
}
