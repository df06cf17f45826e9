import { z } from "zod";
import { Details, Note, Quote, Title } from "@/lib/mail/parts";
import { defineTemplate } from "@/lib/mail/template";

/** To the shop: a visitor's message. The mail's Reply-To is the visitor. */
export const contact = defineTemplate({
  data: z.object({ name: z.string(), email: z.string(), message: z.string() }),
  isToShop: true,
  subject: ({ name }) => `Nouveau message de ${name}`,
  preheader: ({ message }) => message,
  body: ({ name, email, message }) => (
    <>
      <Title>Nouveau message de contact</Title>
      <Details
        rows={[
          { name: "Nom", value: name },
          { name: "Email", value: email },
        ]}
      />
      <Quote>{message}</Quote>
      <Note>Répondez à ce message pour écrire directement à l’expéditeur.</Note>
    </>
  ),
});
