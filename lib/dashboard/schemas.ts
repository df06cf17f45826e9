import { z } from "zod";
import { queryChoice } from "@/lib/http/query";

export const PERIODS = ["7d", "30d", "90d", "12m"] as const;
export type Period = (typeof PERIODS)[number];

/** The query of GET /api/admin/dashboard. */
export const dashboardQuery = z.object({
  period: queryChoice(
    { "7d": "7d", "30d": "30d", "90d": "90d", "12m": "12m" },
    { description: "Période : 7, 30 ou 90 jours, ou 12 mois ; 30 jours par défaut" },
  ).default("30d"),
});
