import { z } from "zod";
import { guestUrl } from "@/lib/guards";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

const verificationUrl = ({ token, returnPath }: { token: string; returnPath: string | null }) =>
  guestUrl(`/account-verification/${encodeURIComponent(token)}`, returnPath);

/**
 * To somebody who has registered: the link that confirms the e-mail address. The mail contains no text typed
 * at the registration; otherwise anybody could send their own text to any address.
 *
 * If the address was registered before, perhaps by somebody else, the account keeps the first password: the
 * mail says how to set another.
 */
export const verification = defineTemplate({
  data: z.object({
    token: z.string(),
    isRegisteredAgain: z.boolean().default(false),
    /** The page to return to after the login; without text of the visitor's own, like the whole mail. */
    returnPath: z.string().nullable().default(null),
  }),
  isConfidential: true,
  lifetime: CONFIRMATION_LIFETIME,
  subject: () => "Vérifiez votre adresse e-mail",
  preheader: () => "Plus qu’un clic pour activer votre compte.",
  body: ({ token, isRegisteredAgain, returnPath }, { siteUrl }) => (
    <>
      <Title>Bienvenue{"\u202f"}!</Title>
      <Paragraph>
        {isRegisteredAgain
          ? "Un compte existe déjà avec cette adresse e-mail. Il ne reste qu’à vérifier qu’elle est bien la vôtre."
          : "Votre compte est créé. Il ne reste qu’à vérifier que cette adresse e-mail est bien la vôtre."}
      </Paragraph>
      <ActionButton href={siteUrl + verificationUrl({ token, returnPath })} isOnlyWay>
        Vérifier mon adresse
      </ActionButton>
      {isRegisteredAgain && (
        <Paragraph>
          Le compte garde le mot de passe de la première inscription. Si elle n’était pas de vous,
          ou si vous avez oublié ce mot de passe, choisissez-en un autre au lieu d’ouvrir ce lien
          {"\u00a0"}: cela vérifie aussi votre adresse. {siteUrl}/forget-password
        </Paragraph>
      )}
      <Note>
        Ce lien est valable 48{"\u00a0"}heures. Si vous n’avez pas créé de compte, ignorez ce
        message{"\u00a0"}: il ne se passera rien.
      </Note>
    </>
  ),
});
