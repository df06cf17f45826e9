import { z } from "zod";
import { queryChoice } from "@/lib/http/api/query";
import { PERIODS, type Period } from "./rules";

export const PERIOD_NAMES = Object.keys(PERIODS) as Period[];

/** The query of GET /api/admin/dashboard. */
export const dashboardQuery = z.object({
  period: queryChoice(PERIOD_NAMES, {
    description: "Période : 7, 30 ou 90 jours, ou 12 mois ; 30 jours par défaut",
  }).default("30d"),
});
