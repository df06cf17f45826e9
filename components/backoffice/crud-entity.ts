import type { ReactElement, ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import type { z } from "zod";
import type { Problem } from "@/lib/backoffice/rules";
import type { Field, Fields, InputProps } from "./crud-field";
import type { OptionSource } from "./search-select";

// How a screen of the back office describes its entity; crud-screen.tsx does the rest.

export interface CrudRow {
  id: number;
  /** Sent back with a change, so that it does not overwrite somebody else's. */
  version?: number;
}

/** A filter of the list; `name` is the API's parameter. The options of `quick` are all in sight. */
export type Filter = { name: string; label: string } & (
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "quick"; options: readonly { value: string; label: string }[] }
  | { kind: "search"; source: OptionSource }
  | { kind: "date" }
);

/** What is said after a change. */
export interface Done {
  text: string;
  /** Shown below it until another change succeeds or a dialog opens. */
  followUp?: ReactElement | null;
}

/** What an action on a row needs from the screen. */
export interface ActionTools {
  /** Runs a change of one row, with a spinner on it, and loads the list again. */
  change: <Answer>(
    id: number,
    run: () => Promise<Answer>,
    done: (answer: Answer) => Done,
  ) => Promise<void>;
  /** After a change that was made elsewhere: loads the list again, and says the text. */
  done: (text: string) => Promise<void>;
  /** After a change by somebody else, which a dialog came across: loads the list again. */
  reload: () => Promise<void>;
  isBusy: (id: number) => boolean;
}

/** An action on the selected rows, beside deleting them. */
export type BulkAction<Row> = {
  label: string;
  /** The rows that it is for; by default all. */
  isFor?: (row: Row) => boolean;
} & (
  | {
      /** @throws ApiError */
      run: (row: Row) => Promise<unknown>;
    }
  | {
      /** Once for all of them; changes nothing. @throws ApiError */
      runOnAll: (rows: readonly Row[]) => Promise<unknown>;
      /** What is said where the API has no sentence. */
      failed: string;
    }
);

/** What a form's layout places. */
interface LayoutProps<Row, Values> {
  /** A field with its control. */
  field: (name: keyof Values & string) => ReactElement;
  /** What a control of the layout's own needs to know of a field. */
  control: <Name extends keyof Values & string>(name: Name) => InputProps<Values[Name], Row>;
  values: Values;
}

/** An object that a form adds or changes. */
export interface FormEntity<Row extends CrudRow, Values extends FieldValues> {
  /** Where it is added; unless `savePath` says otherwise, its own path is below. */
  path: string;
  savePath?: (values: Values, row: Row | null) => string;
  addLabel: string;
  editTitle: string;
  saveFailed: string;
  /** Errors of the API carry a field `error`, which takes precedence. */
  hasErrorField?: boolean;
  /** In the order of the table. */
  fields: { readonly [Name in keyof Values]: Field<Row, Values[Name]> };
  /** What the form of a row says first; `reload` loads the list again. */
  notice?: (row: Row, reload: () => void) => ReactNode;
  /** The arrangement of the form; by default one field below the other. */
  layout?: (props: LayoutProps<Row, Values>) => ReactElement;
  formSize?: "md" | "lg";
  /** Fields that the shop itself changes: where nothing was typed, a conflict takes the saved value. */
  shopFields?: readonly (keyof Values & string)[];
  /** Fields whose values are masked when two versions are compared. */
  secretFields?: readonly (keyof Values & string)[];
  /** The body of the request that saves; `version` is added to it. */
  toJson: (values: Values, row: Row | null) => Record<string, unknown>;
  /** The API's own schema of that body. */
  schema: (values: Values, row: Row | null) => z.ZodType;
  /** What must be right beside the schema: what only the form asks for, or the domain's rules. */
  check?: (values: Values, row: Row | null) => Problem[];
  /** Side effects of a save in this browser. */
  afterSave?: (saved: Row) => void;
}

/** The list of a screen. */
export interface ListEntity<Row extends CrudRow> {
  path: string;
  heading: string;
  emptyText: string;
  /** What the search box looks for: "Nom, description". */
  searchHint: string;
  /** What a row is called, where its buttons are read out and before it is deleted. */
  nameOf: (row: Row) => string;
  /** The beginning of an export's file name. */
  fileName: string;
  /** In the order of the table. */
  fields: Fields<Row>;
  filters: readonly Filter[];
  /** Further screens about it, beside the export. */
  links?: readonly { href: string; label: string }[];
  /** Actions of a row, before those of rows that can be changed. */
  rowActions?: (row: Row, tools: ActionTools) => ReactNode;
  /** What concerns the whole list, beside its export. */
  listActions?: (tools: ActionTools) => ReactElement;
}

/** A list whose rows are added, changed, selected and deleted, and the form. */
export interface CrudEntity<Row extends CrudRow, Values extends FieldValues>
  extends ListEntity<Row>,
    FormEntity<Row, Values> {
  fields: FormEntity<Row, Values>["fields"];
  deleteQuestion: string;
  /** What else goes when the rows are deleted. */
  deleteWarning?: (rows: readonly Row[]) => string;
  /** By default the row's own path. */
  deletePath?: (row: Row) => string;
  /** The entity's name in the history API. */
  historyName: string;
  /** What the history of a row begins with. */
  historyHead?: (row: Row) => ReactNode;
  bulkActions?: readonly BulkAction<Row>[];
}
