import { health } from "@/lib/health/schemas";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";

// GET /api/health – says that this process answers; restart a process that does not
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "public",
    summary: "Savoir si le processus répond",
    description: "Ne regarde ni la base de données ni les services extérieurs.",
    run: () => ({ status: "ok" as const }),
    reply: json(health, { noStore: true }),
  }),
});
