import { getDashboard } from "@/lib/dashboard/queries";
import { dashboardAnswer, dashboardJson } from "@/lib/dashboard/resource";
import { dashboardQuery } from "@/lib/dashboard/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/admin/dashboard – the figures of the day and of a period, and the open tasks
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lire le tableau de bord",
    query: dashboardQuery,
    run: async ({ query }) => dashboardJson(await getDashboard(query.period)),
    reply: json(dashboardAnswer),
  }),
});
