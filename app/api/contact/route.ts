import { acceptForms } from "@/lib/contact/form-post";
import { createContactMessage } from "@/lib/contact/mutations";
import { contactInput } from "@/lib/contact/schemas";
import { MESSAGE_SENT } from "@/lib/contact/texts";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { rateLimiter } from "@/lib/http/rate-limit";
import { networkOf } from "@/lib/http/server/network";

// Consumed in `run`, after the validation: an invalid message, such as a mistyped address, costs no point.
const messagesPerVisitor = rateLimiter({ name: "contact", points: 5, duration: 600 });

// POST /api/contact – a visitor writes to the shop
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: acceptForms(
    route({
      access: "public",
      summary: "Écrire à la boutique",
      body: contactInput,
      errorsMap: true,
      refusals: [429],
      run: async ({ body: { nom, email, message }, request }) => {
        await messagesPerVisitor.consume(networkOf(request));
        await createContactMessage({ name: nom, email, message });
        return { message: MESSAGE_SENT };
      },
      reply: message({ status: 201 }),
    }),
  ),
});
