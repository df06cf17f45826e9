import { getReadiness } from "@/lib/health/queries";
import { readiness } from "@/lib/health/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/ready – says whether this process can serve visitors
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Savoir si des visiteurs peuvent être envoyés ici",
    description: "200, ou 503 avec le même contenu. À demander par le répartiteur de charge.",
    run: getReadiness,
    reply: json(readiness, {
      status: (value) => (value === undefined || value.status === "ready" ? 200 : 503),
      statuses: [200, 503],
      noStore: true,
    }),
  }),
});
