import { deactivateAccount, deleteAccount } from "@/lib/account/mutations";
import { deletionParams } from "@/lib/account/schemas";
import { ACCOUNT_DEACTIVATED, ACCOUNT_DELETED } from "@/lib/account/texts";
import { message } from "@/lib/http/api/reply";
import { endpoint, route } from "@/lib/http/api/route";

// DELETE /api/account/delete/{mode} – soft: closes one's account; hard: erases it for good
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint(
  "/api/account/delete/{mode}",
  {
    DELETE: route({
      access: "user",
      summary: "Supprimer son compte",
      params: deletionParams,
      errorsMap: true,
      refusals: [422],
      run: async ({ user, params: { mode } }) => {
        if (mode === "soft") await deactivateAccount(user);
        else await deleteAccount(user);
        return { message: mode === "soft" ? ACCOUNT_DEACTIVATED : ACCOUNT_DELETED };
      },
      reply: message(),
    }),
  },
);
