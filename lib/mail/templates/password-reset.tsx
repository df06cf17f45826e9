import { z } from "zod";
import { RESET_LIFETIME } from "@/lib/mail/link-lifetimes";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

/** To the owner of an account: the link to reset the password, which somebody requested. */
export const passwordReset = defineTemplate({
  data: z.object({ token: z.string() }),
  isConfidential: true,
  lifetime: RESET_LIFETIME,
  subject: () => "Choisissez un nouveau mot de passe",
  preheader: () => "Le lien de ce message est valable une heure.",
  body: ({ token }, { siteUrl }) => (
    <>
      <Title>Un nouveau mot de passe</Title>
      <Paragraph>
        Vous avez demandé à choisir un nouveau mot de passe pour votre compte. Voici le lien pour le
        faire{"\u00a0"}:
      </Paragraph>
      <ActionButton href={`${siteUrl}/reset-password/${encodeURIComponent(token)}`} isOnlyWay>
        Choisir un mot de passe
      </ActionButton>
      <Note>
        Ce lien est valable une heure et ne sert qu’une fois. Si vous n’avez rien demandé, ignorez
        ce message{"\u00a0"}: votre mot de passe reste le même.
      </Note>
    </>
  ),
});
