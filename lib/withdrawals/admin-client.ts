import type { z } from "zod";
import { listRows, saveRow } from "@/lib/backoffice/client";
import type { withdrawalChange } from "./admin-schemas";

/** The SWR key of `countOpenWithdrawals`: revalidate it after settling a withdrawal. */
export const OPEN_WITHDRAWALS = "/api/withdrawals?state=received&page=1&itemsPerPage=1";

/** The number of withdrawals to be settled. @throws ApiError */
export const countOpenWithdrawals = async (): Promise<number> =>
  (await listRows(OPEN_WITHDRAWALS)).total;

/** PUT /api/withdrawals/{id}. @throws ApiError */
export const settleWithdrawal = <Row>({
  id,
  json,
}: {
  id: number;
  json: z.input<typeof withdrawalChange>;
}): Promise<Row> => saveRow<Row>({ method: "PUT", path: `/api/withdrawals/${id}`, json });
