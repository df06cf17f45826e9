import { z } from "zod";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/frame";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/lifetimes";
import { defineTemplate } from "@/lib/mail/template";

/**
 * To somebody who has registered: the link that proves the address to be theirs. It says nothing
 * that was typed at the registration, or it would carry anybody's words to any address.
 */
export const verification = defineTemplate({
  data: z.object({ token: z.string() }),
  isConfidential: true,
  lifetime: CONFIRMATION_LIFETIME,
  subject: () => "Vérifiez votre adresse e-mail",
  preheader: () => "Plus qu’un clic pour activer votre compte.",
  body: ({ token }, { siteUrl }) => (
    <>
      <Title>Bienvenue{"\u202f"}!</Title>
      <Paragraph>
        Votre compte est créé. Il ne reste qu’à vérifier que cette adresse e-mail est bien la vôtre.
      </Paragraph>
      <ActionButton href={`${siteUrl}/account-verification/${encodeURIComponent(token)}`}>
        Vérifier mon adresse
      </ActionButton>
      <Note>
        Ce lien est valable 48{"\u00a0"}heures. Si vous n’avez pas créé de compte, ignorez ce
        message{"\u00a0"}: il ne se passera rien.
      </Note>
    </>
  ),
});
