import { ButtonLink, buttonClass } from "@/components/ui/button";
import {
  REFERENCE_PLACEHOLDER,
  SENTENCE_PLACEHOLDER,
} from "@/lib/workarounds/empty-document-placeholders";
import { FaultMessage } from "./fault-message";

/** Replaces a page that could not be rendered, with or without JavaScript. */
export function UnavailableMessage() {
  return (
    <FaultMessage sentence={SENTENCE_PLACEHOLDER} reference={REFERENCE_PLACEHOLDER}>
      <p className="flex flex-wrap justify-center gap-3">
        {/* biome-ignore lint/a11y/useValidAnchor: reloads the page that this message replaces */}
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
