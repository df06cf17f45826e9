import { deactivateAccount, deleteAccount } from "@/lib/account/mutations";
import { deletionParams } from "@/lib/account/schemas";
import { ACCOUNT_DEACTIVATED, ACCOUNT_DELETED } from "@/lib/account/texts";
import { needsRecentLogin } from "@/lib/auth/texts";
import { message } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// DELETE /api/account/delete/{mode} – soft: closes one's account; hard: erases it for good
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: route({
    access: "user",
    summary: "Supprimer son compte",
    description: needsRecentLogin(),
    params: deletionParams,
    errorsMap: true,
    refusals: [403, 422],
    run: async ({ user, token, params: { mode } }) => {
      if (mode === "soft") await deactivateAccount({ user, token });
      else await deleteAccount({ user, token });
      return { message: mode === "soft" ? ACCOUNT_DEACTIVATED : ACCOUNT_DELETED };
    },
    reply: message(),
  }),
});
