import type { ComponentType, ReactNode } from "react";
import type { SaveRequest } from "@/lib/backoffice/client";
import type { Problem } from "@/lib/backoffice/rules";
import type { OptionSource } from "./search-select";

// What a screen of the back office says about its entity; crud-screen.tsx does the rest.

export interface CrudRow {
  id: number;
  /** Goes back with a change, so that it does not overwrite somebody else's. */
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

/** A way to see fewer rows; `name` is the API's parameter. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "search"; source: OptionSource }
  | { kind: "date" }
);

/** What a form's fields are given. */
export interface FieldsProps<Row, Values> {
  values: Values;
  set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  /** What is wrong with a field, for the control. */
  problem: (name: keyof Values & string) => { error?: string; errorId?: string };
  /** Null in the form that adds. */
  row: Row | null;
  /** Nothing is sent while something else is still on its way (a picture). */
  setWaiting: (isWaiting: boolean) => void;
  /** Shows a problem in the form's list, in place of those there. */
  report: (problem: Problem) => void;
}

/** What an action on a row or on several has to say and to change. */
export interface ActionTools {
  /**
   * Runs a change of one row, with a spinner on it, and loads the list again; `done` is what is said
   * of the answer.
   */
  change: <Answer>(
    id: number,
    run: () => Promise<Answer>,
    done: (answer: Answer) => ReactNode,
  ) => Promise<void>;
  isBusy: (id: number) => boolean;
}

/** An action on the rows that are selected, beside deleting them. */
export interface BulkAction<Row> {
  label: string;
  /** @throws ApiError */
  run: (row: Row) => Promise<unknown>;
}

export interface CrudEntity<Row extends CrudRow, Values extends object> {
  /** The list's address. */
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
  /** The API's class, which its history goes by. */
  historyName: string;
  /** The beginning of an export's file name. */
  fileName: string;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  newValues: () => Values;
  valuesOf: (row: Row) => Values;
  /** Fields that the shop itself changes: what was not typed there is never mine in a conflict. */
  shopFields?: readonly (keyof Values)[];
  /** What the form's fields are called, for those who compare two versions. */
  labels: Readonly<Record<keyof Values & string, string>>;
  /** What is wrong before anything is sent; none where all is well. */
  check: (values: Values, row: Row | null) => Problem[];
  /** The call that saves; `version` is added to it. */
  request: (values: Values, row: Row | null) => SaveRequest;
  deletePath: (row: Row) => string;
  Fields: ComponentType<FieldsProps<Row, Values>>;
  formSize?: "md" | "lg";
  /** The screen looks at the field `error` of a refusal first. */
  hasErrorField?: boolean;
  /** Actions of a row before the usual ones. */
  rowActions?: (row: Row, tools: ActionTools) => ReactNode;
  bulkActions?: readonly BulkAction<Row>[];
}

/** What the form alone wants to know. */
export type FormEntity<Row extends CrudRow, Values extends object> = Pick<
  CrudEntity<Row, Values>,
  | "addLabel"
  | "editTitle"
  | "saveFailed"
  | "newValues"
  | "valuesOf"
  | "shopFields"
  | "labels"
  | "check"
  | "request"
  | "Fields"
  | "formSize"
  | "hasErrorField"
>;
