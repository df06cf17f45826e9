"use client";

import { type ReactElement, useState } from "react";
import type { FormResult } from "@/components/ui/form-alert";
import { ApiError } from "@/lib/api-error";
import { deleteRow } from "@/lib/backoffice/client";
import { exportUrl, type ListView } from "@/lib/backoffice/view";
import { downloadFile } from "@/lib/browser/download-file";
import { isoDay } from "@/lib/dates";
import type { ActionTools, BulkAction, CrudRow, SuccessMessage } from "./crud-entity";

const DELETE_FAILED = "La suppression a échoué.";
const CHANGE_FAILED = "La modification a échoué.";
const EXPORT_FAILED = "L’export a échoué.";

function failureNotice(failures: readonly ApiError[], fallback: string): FormResult {
  const sentences = [...new Set(failures.map(({ sentence }) => sentence || fallback))];
  return { kind: "error", text: sentences.join("\n") };
}

/** The id of a row that is being changed, or the name of another task. */
type Task = number | "export" | "bulk action";

function useTasks() {
  const [running, setRunning] = useState<ReadonlySet<Task>>(new Set());

  /** Returns the error, or null on success. */
  async function attempt(task: Task, run: () => Promise<unknown>): Promise<ApiError | null> {
    setRunning((previous) => new Set(previous).add(task));
    try {
      await run();
      return null;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      return problem;
    } finally {
      setRunning((previous) => new Set([...previous].filter((each) => each !== task)));
    }
  }

  return { running, attempt };
}

interface CrudActionsOptions<Row> {
  entity: { path: string; fileName: string; deletePath?: (row: Row) => string };
  view: ListView;
  reload: () => Promise<void>;
}

/** The actions on rows outside of the form, and the notice about their result. */
export function useCrudActions<Row extends CrudRow>({
  entity: { path, fileName, deletePath = ({ id }) => `${path}/${id}` },
  view,
  reload,
}: CrudActionsOptions<Row>) {
  const [notice, setNotice] = useState<FormResult | null>(null);
  /** Kept when a change fails: it may hold typed values. */
  const [followUp, setFollowUp] = useState<ReactElement | null>(null);
  const { running, attempt } = useTasks();

  async function afterChange({ text, followUp = null }: SuccessMessage) {
    setNotice(null);
    await reload();
    setNotice({ kind: "success", text });
    setFollowUp(followUp);
  }

  async function change<Answer>(
    id: number,
    run: () => Promise<Answer>,
    done: (answer: Answer) => SuccessMessage,
    failed = CHANGE_FAILED,
  ) {
    setNotice(null);
    const problem = await attempt(id, async () => {
      await afterChange(done(await run()));
    });
    if (!problem || problem.isSessionOver) return;
    await reload();
    setNotice(failureNotice([problem], failed));
  }

  const tools: ActionTools = {
    isBusy: (id) => running.has(id),
    change,
    done: (text) => afterChange({ text }),
    reload,
  };

  function remove(row: Row) {
    const done = () => ({ text: "Suppression effectuée." });
    return change(row.id, () => deleteRow(deletePath(row)), done, DELETE_FAILED);
  }

  /** Runs the requests one after the other; the table shows the progress. */
  async function runOnRows(
    rows: readonly Row[],
    run: (row: Row) => Promise<unknown>,
    failed: string,
  ) {
    setNotice(null);
    const failures: ApiError[] = [];
    for (const row of rows) {
      const problem = await attempt(row.id, () => run(row));
      if (problem?.isSessionOver) return;
      if (problem) failures.push(problem);
      // Stop if the user did not confirm their identity: do not ask again for each row.
      if (problem?.neededProof) break;
    }
    const text = rows.length === 1 ? "1 élément traité." : `${rows.length} éléments traités.`;
    if (failures.length === 0) return afterChange({ text });
    await reload();
    setNotice(failureNotice(failures, failed));
  }

  /** For tasks that change nothing. */
  async function runOnList(task: Task, run: () => Promise<unknown>, failed: string) {
    setNotice(null);
    const problem = await attempt(task, run);
    if (problem && !problem.isSessionOver) setNotice(failureNotice([problem], failed));
  }

  return {
    notice,
    followUp,
    clearNotice: () => {
      setNotice(null);
      setFollowUp(null);
    },
    afterChange,
    tools,
    /** An export does not lock the rows. */
    isAnyBusy: [...running].some((task) => task !== "export"),
    remove,
    removeAll: (rows: readonly Row[]) =>
      runOnRows(rows, (row) => deleteRow(deletePath(row)), DELETE_FAILED),
    runAction: (selected: readonly Row[], action: BulkAction<Row>) => {
      const rows = selected.filter(action.isFor ?? (() => true));
      return "run" in action
        ? runOnRows(rows, action.run, CHANGE_FAILED)
        : runOnList("bulk action", () => action.runOnAll(rows), action.failed);
    },
    isExporting: running.has("export"),
    exportRows: () => {
      const name = `${fileName}-${isoDay(new Date())}.csv`;
      const file = { path: exportUrl({ path, view }), name, accept: "text/csv" };
      return runOnList("export", () => downloadFile(file), EXPORT_FAILED);
    },
  };
}
