import type { ComponentType, ReactNode } from "react";
import type { SaveRequest } from "@/lib/backoffice/client";
import type { Problem } from "@/lib/backoffice/rules";
import type { OptionSource } from "./search-select";

// How a screen of the back office describes its entity; crud-screen.tsx does the rest.

export interface CrudRow {
  id: number;
  /** Sent back with a change, so that it does not overwrite somebody else's. */
  version?: number;
}

export interface Column<Row> {
  id: string;
  label: string;
  /** The API's field that the table can be ordered by. */
  orderBy?: string;
  cell: (row: Row) => ReactNode;
  /** Classes of the cells. */
  className?: string;
}

/** A filter of the list; `name` is the API's parameter. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "search"; source: OptionSource }
  | { kind: "date" }
);

/** The props of a form's fields. */
export interface FieldsProps<Row, Values> {
  values: Values;
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  /** The error props of a field's control. */
  problem: (name: keyof Values & string) => { error?: string; errorId?: string };
  /** Null in the form that adds. */
  row: Row | null;
  /** Disables saving while something else is still being sent (a picture). */
  setWaiting: (isWaiting: boolean) => void;
}

/** What an action on a row needs from the screen. */
export interface ActionTools {
  /**
   * Runs a change of one row, with a spinner on it, and reloads the list. `done` gives the message
   * for the answer; `followUp` is shown below it until another change succeeds or a dialog opens.
   */
  change: <Answer>(
    id: number,
    run: () => Promise<Answer>,
    done: (answer: Answer) => { text: string; followUp?: ReactNode },
  ) => Promise<void>;
  isBusy: (id: number) => boolean;
}

/** An action on the selected rows, beside deleting them. */
export interface BulkAction<Row> {
  label: string;
  /** @throws ApiError */
  run: (row: Row) => Promise<unknown>;
}

export interface CrudEntity<Row extends CrudRow, Values extends object> {
  /** The list's path. */
  path: string;
  heading: string;
  addLabel: string;
  editTitle: string;
  emptyText: string;
  deleteQuestion: string;
  /** What else goes when the row is deleted. */
  deleteWarning?: (row: Row) => string | null;
  saveFailed: string;
  /** What the search box looks for: "Nom, description". */
  searchHint: string;
  /** The entity's name in the history API. */
  historyName: string;
  /** The beginning of an export's file name. */
  fileName: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  newValues: () => Values;
  valuesOf: (row: Row) => Values;
  /** Fields that the shop itself changes: where nothing was typed, a conflict takes the saved value. */
  shopFields?: readonly (keyof Values)[];
  /** Fields whose values are masked when two versions are compared. */
  secretFields?: readonly (keyof Values & string)[];
  /** The form's labels by field, for the history and the comparison of two versions. */
  labels: Readonly<Record<keyof Values & string, string>>;
  /** Validates the form before it is sent. */
  check: (values: Values, row: Row | null) => Problem[];
  /** The call that saves; `version` is added to it. */
  request: (values: Values, row: Row | null) => SaveRequest;
  /** Side effects of a save in this browser. */
  afterSave?: (saved: Row) => void;
  deletePath: (row: Row) => string;
  Fields: ComponentType<FieldsProps<Row, Values>>;
  formSize?: "md" | "lg";
  /** Errors of the API carry a field `error`, which takes precedence. */
  hasErrorField?: boolean;
  /** Actions of a row, before those that every screen has. */
  rowActions?: (row: Row, tools: ActionTools) => ReactNode;
  bulkActions?: readonly BulkAction<Row>[];
}

/** The part that the form needs. */
export type FormEntity<Row extends CrudRow, Values extends object> = Pick<
  CrudEntity<Row, Values>,
  | "addLabel"
  | "editTitle"
  | "saveFailed"
  | "newValues"
  | "valuesOf"
  | "shopFields"
  | "secretFields"
  | "labels"
  | "check"
  | "request"
  | "afterSave"
  | "Fields"
  | "formSize"
  | "hasErrorField"
>;
