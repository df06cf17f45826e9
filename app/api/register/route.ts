import { registerUser } from "@/lib/auth/registration";
import { registrationInput } from "@/lib/auth/schemas";
import { REGISTERED } from "@/lib/auth/texts";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { networkOf } from "@/lib/http/server/network";

// POST /api/register – opens an account; the link of a mail confirms its address
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  POST: route({
    access: "public",
    summary: "S'inscrire",
    body: registrationInput,
    errorsMap: true,
    refusals: [429],
    run: async ({ body: { nom, lastname, retour, ...credentials }, request }) => {
      await registerUser({
        ...credentials,
        lastName: nom,
        firstName: lastname,
        returnTo: retour ?? null,
        network: networkOf(request),
      });
      return { message: REGISTERED };
    },
    reply: message({ status: 201 }),
  }),
});
