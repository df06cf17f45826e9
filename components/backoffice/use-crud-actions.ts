"use client";

import { type ReactNode, useState } from "react";
import { ApiError } from "@/lib/api-error";
import { deleteRow, downloadCsv } from "@/lib/backoffice/client";
import { exportUrl, type ListView } from "@/lib/backoffice/view";
import type { ActionTools, BulkAction, CrudRow } from "./crud-entity";
import { useRowChanges } from "./use-row-changes";

const DELETE_FAILED = "La suppression a échoué.";
const CHANGE_FAILED = "La modification a échoué.";
const EXPORT_FAILED = "L’export a échoué.";

interface Notice {
  kind: "success" | "error";
  text: string;
}

function failureNotice(failures: readonly ApiError[], fallback: string): Notice {
  const sentences = [...new Set(failures.map(({ sentence }) => sentence || fallback))];
  return { kind: "error", text: sentences.join("\n") };
}

interface CrudActionsOptions<Row> {
  entity: { path: string; deletePath?: (row: Row) => string };
  /** Loads the list again. */
  reload: () => Promise<void>;
}

/** What is done with rows outside of the form, and the notice that says how it went. */
export function useCrudActions<Row extends CrudRow>({ entity, reload }: CrudActionsOptions<Row>) {
  const [notice, setNotice] = useState<Notice | null>(null);
  /** Kept when a change fails: something may have been typed there. */
  const [followUp, setFollowUp] = useState<ReactNode>(null);
  const [isExporting, setIsExporting] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const { busy, runOnRow, runOnRows } = useRowChanges();
  const isBusy = (id: number) => busy.has(id);
  const deletePathOf = (row: Row) => entity.deletePath?.(row) ?? `${entity.path}/${row.id}`;

  function succeed(text: string, next: ReactNode = null) {
    setNotice({ kind: "success", text });
    setFollowUp(next);
  }

  const tools: ActionTools = {
    isBusy,
    change: async (id, run, done) => {
      setNotice(null);
      const problem = await runOnRow(id, async () => {
        const answer = await run();
        await reload();
        const { text, followUp: next } = done(answer);
        succeed(text, next);
      });
      if (!problem || problem.isSessionOver) return;
      await reload();
      setNotice(failureNotice([problem], CHANGE_FAILED));
    },
  };

  async function remove(row: Row) {
    const problem = await runOnRow(row.id, async () => {
      await deleteRow(deletePathOf(row));
      await reload();
    });
    if (problem?.isSessionOver) return;
    if (problem) setNotice(failureNotice([problem], DELETE_FAILED));
    else succeed("Suppression effectuée.");
  }

  async function runOnSelection(
    rows: readonly Row[],
    run: (row: Row) => Promise<unknown>,
    failed: string,
  ) {
    setNotice(null);
    const failures = await runOnRows(rows, run);
    if (!failures) return;
    await reload();
    const done = rows.length - failures.length;
    if (failures.length > 0) setNotice(failureNotice(failures, failed));
    else succeed(done === 1 ? "1 élément traité." : `${done} éléments traités.`);
  }

  async function runAction(selected: readonly Row[], action: BulkAction<Row>) {
    const rows = selected.filter(action.isFor ?? (() => true));
    if ("run" in action) return runOnSelection(rows, action.run, CHANGE_FAILED);
    setNotice(null);
    setIsRunning(true);
    try {
      await action.runOnAll(rows);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (!problem.isSessionOver) setNotice(failureNotice([problem], action.failed));
    }
    setIsRunning(false);
  }

  async function exportRows({ path, view, name }: { path: string; view: ListView; name: string }) {
    setNotice(null);
    setIsExporting(true);
    try {
      const day = new Date().toISOString().slice(0, 10);
      await downloadCsv({ url: exportUrl({ path, view }), name: `${name}-${day}.csv` });
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (!problem.isSessionOver) setNotice(failureNotice([problem], EXPORT_FAILED));
    }
    setIsExporting(false);
  }

  return {
    notice,
    followUp,
    clearNotice: () => {
      setNotice(null);
      setFollowUp(null);
    },
    succeed,
    tools,
    isAnyBusy: isRunning || busy.size > 0,
    remove,
    removeAll: (rows: readonly Row[]) =>
      runOnSelection(rows, (row) => deleteRow(deletePathOf(row)), DELETE_FAILED),
    runAction,
    exportRows,
    isExporting,
  };
}
