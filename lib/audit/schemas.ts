import { z } from "zod";
import { ENTITIES } from "@/lib/audit/rules";
import { idParam } from "@/lib/http/api/ids";

/** `/api/admin/history/{entity}/{id}` */
export const historyParams = z.object({
  entity: z.enum(ENTITIES).meta({ description: "La sorte d'objet" }),
  id: idParam,
});
