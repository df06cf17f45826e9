import { listHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";
import { adminWithdrawals } from "@/lib/withdrawals/admin";

// GET /api/withdrawals – all withdrawals
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods(
  listHandlers(adminWithdrawals, "Lister les rétractations"),
);
