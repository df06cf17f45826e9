import { takingForms } from "@/lib/contact/form-post";
import { createContactMessage } from "@/lib/contact/mutations";
import { contactInput } from "@/lib/contact/schemas";
import { MESSAGE_SENT } from "@/lib/contact/texts";
import { env } from "@/lib/env";
import { clientNetwork } from "@/lib/http/client-address";
import { rateLimiter } from "@/lib/http/rate-limit";
import { message } from "@/lib/http/reply";
import { methods, route } from "@/lib/http/route";

// Taken in `run`, where the message is known to be good: a mistyped address costs nothing.
const messagesPerVisitor = rateLimiter({ name: "contact", points: 5, duration: 600 });

// POST /api/contact – a visitor writes to the shop
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: takingForms(
    route({
      access: "public",
      summary: "Écrire à la boutique",
      body: contactInput,
      errorsMap: true,
      refusals: [429],
      run: async ({ body: { nom, email, message }, request }) => {
        await messagesPerVisitor.consume(clientNetwork(request.headers, env().TRUST_PROXY));
        await createContactMessage({ name: nom, email, message });
        return { message: MESSAGE_SENT };
      },
      reply: message({ status: 201 }),
    }),
  ),
});
