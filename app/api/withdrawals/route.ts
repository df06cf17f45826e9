import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { exportWithdrawals, listWithdrawals } from "@/lib/withdrawals/admin";
import { withdrawalResource } from "@/lib/withdrawals/admin-resource";
import { withdrawalListQuery } from "@/lib/withdrawals/admin-schemas";

// GET /api/withdrawals – all withdrawals
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les rétractations",
    query: withdrawalListQuery,
    run: ({ query }) => listWithdrawals(query),
    csv: ({ query }) => exportWithdrawals(query),
    reply: collectionOf(withdrawalResource),
  }),
});
