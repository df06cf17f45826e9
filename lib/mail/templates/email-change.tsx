import { z } from "zod";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";
import { ActionButton, Note, Paragraph, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

/**
 * To the new e-mail address of an account: the link that makes it replace the current address. The token is
 * in the fragment, which browsers do not send to the server, even when they redirect to the login and back.
 */
export const emailChange = defineTemplate({
  data: z.object({ token: z.string() }),
  isConfidential: true,
  lifetime: CONFIRMATION_LIFETIME,
  subject: () => "Confirmez votre nouvelle adresse e-mail",
  preheader: () => "D’ici là, l’adresse actuelle de votre compte reste valable.",
  body: ({ token }, { siteUrl }) => (
    <>
      <Title>Une nouvelle adresse e-mail</Title>
      <Paragraph>
        Vous avez demandé à utiliser cette adresse pour votre compte. Elle remplacera l’adresse
        actuelle dès que vous aurez ouvert ce lien, en vous connectant s’il le faut{"\u00a0"}:
      </Paragraph>
      <ActionButton href={`${siteUrl}/profile#email=${encodeURIComponent(token)}`} isOnlyWay>
        Confirmer cette adresse
      </ActionButton>
      <Note>
        Ce lien est valable 48{"\u00a0"}heures. Si vous n’avez rien demandé, ignorez ce message
        {"\u00a0"}: rien ne changera.
      </Note>
    </>
  ),
});
