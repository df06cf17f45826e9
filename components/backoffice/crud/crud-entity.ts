import type { ReactElement, ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import type { z } from "zod";
import type { OptionSource } from "@/components/backoffice/forms/search-select";
import type { Problem } from "@/lib/backoffice/rules";
import type { Field, Fields, InputProps } from "./crud-field";

// The types by which a screen of the back office describes its entity; crud-screen.tsx does the rest.

export interface CrudRow {
  id: number;
  /** Sent back with a change, so that the change does not overwrite somebody else's. */
  version?: number;
}

/** A filter of the list; `name` is the API's parameter. All options of `quick` are visible. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "quick"; options: readonly { value: string; label: string }[] }
  | { kind: "search"; source: OptionSource }
  | { kind: "date" }
);

/** The message after a change. */
export interface SuccessMessage {
  text: string;
  /** Shown below the message until another change succeeds or a dialog opens. */
  followUp?: ReactElement | null;
}

/** The functions that the screen offers to an action on a row. */
export interface ActionTools {
  /** Runs a change of one row, shows a spinner on the row, and loads the list again. */
  change: <Answer>(
    id: number,
    run: () => Promise<Answer>,
    done: (answer: Answer) => SuccessMessage,
  ) => Promise<void>;
  /** After a change that was made elsewhere: loads the list again, and shows the text. */
  done: (text: string) => Promise<void>;
  /** After a dialog has found a change by somebody else: loads the list again. */
  reload: () => Promise<void>;
  isBusy: (id: number) => boolean;
}

/** An action on the selected rows, besides deleting them. */
export type BulkAction<Row> = {
  label: string;
  /** Whether the action applies to the row; by default to all. */
  isFor?: (row: Row) => boolean;
} & (
  | {
      /** @throws ApiError */
      run: (row: Row) => Promise<unknown>;
    }
  | {
      /** Called once for all selected rows; changes nothing. @throws ApiError */
      runOnAll: (rows: readonly Row[]) => Promise<unknown>;
      /** The message if the API gives no sentence. */
      failed: string;
    }
);

interface LayoutProps<Row, Values> {
  /** A field with its control. */
  field: (name: keyof Values & string) => ReactElement;
  /** The props of the field, for a control that the layout renders itself. */
  control: <Name extends keyof Values & string>(name: Name) => InputProps<Values[Name], Row>;
  values: Values;
}

/** An object that a form adds or changes. */
export interface FormEntity<Row extends CrudRow, Values extends FieldValues> {
  /** The path that the row is posted to. Without `savePath`, a row's own path is below it. */
  path: string;
  savePath?: (values: Values, row: Row | null) => string;
  addLabel: string;
  editTitle: string;
  saveFailed: string;
  /** The API's errors have a field `error`, which takes precedence. */
  hasErrorField?: boolean;
  /** In the order of the table. */
  fields: { readonly [Name in keyof Values]: Field<Row, Values[Name]> };
  /** Shown at the top of a row's form; `reload` loads the list again. */
  notice?: (row: Row, reload: () => void) => ReactNode;
  /** The arrangement of the form; by default one field below the other. */
  layout?: (props: LayoutProps<Row, Values>) => ReactElement;
  formSize?: "md" | "lg";
  /** Fields that the shop itself changes: in a conflict, an unedited field takes the saved value. */
  shopFields?: readonly (keyof Values & string)[];
  /** Fields whose values are masked when two versions are compared. */
  secretFields?: readonly (keyof Values & string)[];
  /** The body of the request that saves; `version` is added to it. */
  toJson: (values: Values, row: Row | null) => Record<string, unknown>;
  /** The API's own schema of that body. */
  schema: (values: Values, row: Row | null) => z.ZodType;
  /** Problems that the schema does not find: what only the form requires, or the domain's rules. */
  check?: (values: Values, row: Row | null) => Problem[];
  /** Side effects of a save in this browser. */
  afterSave?: (saved: Row) => void;
}

/** The list of a screen. */
export interface ListEntity<Row extends CrudRow> {
  path: string;
  heading: string;
  emptyText: string;
  /** The texts that the search box searches: "Nom, description". */
  searchHint: string;
  /** The name of a row, for the labels of its buttons and the question before it is deleted. */
  nameOf: (row: Row) => string;
  /** The beginning of an export's file name. */
  fileName: string;
  /** In the order of the table. */
  fields: Fields<Row>;
  filters: readonly Filter[];
  /** Links to related screens, beside the export. */
  links?: readonly { href: string; label: string }[];
  /** Actions of a row, before the buttons that change it. */
  rowActions?: (row: Row, tools: ActionTools) => ReactNode;
  /** Actions on the whole list, beside its export. */
  listActions?: (tools: ActionTools) => ReactElement;
}

/** A list whose rows are added, changed, selected and deleted, and the form. */
export interface CrudEntity<Row extends CrudRow, Values extends FieldValues>
  extends ListEntity<Row>,
    FormEntity<Row, Values> {
  fields: FormEntity<Row, Values>["fields"];
  deleteQuestion: string;
  /** Warns of anything else that is deleted with the rows. */
  deleteWarning?: (rows: readonly Row[]) => string;
  /** By default the row's own path. */
  deletePath?: (row: Row) => string;
  /** The entity's name in the history API. */
  historyName: string;
  /** Shown at the top of a row's history. */
  historyHead?: (row: Row) => ReactNode;
  bulkActions?: readonly BulkAction<Row>[];
}
