"use client";

import { useState } from "react";
import { ApiError } from "@/lib/api-error";
import type { CrudRow } from "./crud-entity";

/** Runs changes of rows, and tells which rows are busy. */
export function useRowChanges() {
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());

  function setRowBusy(id: number, isOn: boolean) {
    setBusy((previous) => {
      const next = new Set(previous);
      if (isOn) next.add(id);
      else next.delete(id);
      return next;
    });
  }

  /** Returns the error, or null on success. */
  async function runOnRow(id: number, run: () => Promise<unknown>): Promise<ApiError | null> {
    setRowBusy(id, true);
    try {
      await run();
      return null;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      return problem;
    } finally {
      setRowBusy(id, false);
    }
  }

  /**
   * Sequentially: each is a request of its own, and the table shows the progress. Returns the errors,
   * or null if the session has ended.
   */
  async function runOnRows<Row extends CrudRow>(
    rows: readonly Row[],
    run: (row: Row) => Promise<unknown>,
  ): Promise<ApiError[] | null> {
    const failures: ApiError[] = [];
    for (const row of rows) {
      const problem = await runOnRow(row.id, () => run(row));
      if (problem?.isSessionOver) return null;
      if (problem) failures.push(problem);
      // Who did not want to confirm who they are is not asked again for each row.
      if (problem?.neededProof) break;
    }
    return failures;
  }

  return { busy, runOnRow, runOnRows };
}
