import { z } from "zod";
import { json } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { removeUnusedPictures } from "@/lib/uploads/cleaning";

const report = z.object({
  used: z.int().meta({ description: "Images encore utilisées" }),
  unused: z.int().meta({ description: "Images dont rien ne se sert plus, depuis aujourd'hui" }),
  removed: z.int().meta({ description: "Images supprimées, inutilisées depuis un jour" }),
  failed: z.int().meta({ description: "Images que le stockage n'a pas supprimées" }),
});

const clean = route({
  access: "cron",
  summary: "Supprimer les images envoyées dont rien ne se sert plus",
  description: "Chaque image est examinée une fois par jour. Peut être répété.",
  run: () => removeUnusedPictures({ limit: 1000 }),
  reply: json(report),
});

// GET, POST /api/cron/pictures – removes unused uploads; schedulers differ in the verb
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: clean,
  POST: clean,
});
