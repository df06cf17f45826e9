import { adminItem } from "@/lib/http/api/admin";
import { methods } from "@/lib/http/api/route";
import { deleteFailedMail } from "@/lib/mail/failed";

// DELETE /api/admin/mails/{id} – drops a mail that failed for good and need not be sent
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  DELETE: adminItem({
    summary: "Supprimer un e-mail abandonné",
    run: deleteFailedMail,
    reply: 204,
  }),
});
