import type { ReactNode } from "react";
import { YesNo } from "./cells";

// A field of an entity is declared once: its label, its column in the table, and its control
// in the form. The functions below read the declarations.

/** Keeps the form from being saved. */
export interface SaveBlocker {
  field: string;
  /** Shown when the form is saved nevertheless; without a message, the save button is disabled. */
  message?: string;
}

/** A message beside the field, or the id of a message elsewhere that concerns the field, too. */
export interface FieldProblem {
  error?: string;
  errorId?: string;
}

export interface InputProps<Value, Row> {
  name: string;
  label: string;
  value: Value;
  onChange(value: Value): void;
  problem: FieldProblem;
  /** Null in the form that adds. */
  row: Row | null;
  blockSave(blocker: SaveBlocker | null): void;
}

/** A control of the form. `RowValue` is the type of the row's field of the same name. */
export interface Input<Value, Row = unknown, RowValue = Value | null | undefined> {
  /** The control's content in the form that adds. */
  empty: Value;
  /** Makes the content from the row's field of the same name: by default its value, or else `empty`. */
  read?: (value: RowValue) => Value;
  /** Absent if the form's layout renders the control itself. */
  render?(props: InputProps<Value, Row>): ReactNode;
}

export interface FieldColumn<Row> {
  /** A shorter label for the table. */
  label?: string;
  /** The API can order the list by this field. */
  isSortable?: boolean;
  /** Classes of the cells. */
  className?: string;
  /** By default shows the form's value: a text, or yes or no. */
  cell?(row: Row): ReactNode;
}

export interface Field<Row, Value, RowValue = never> {
  label: string;
  column?: FieldColumn<Row>;
  input?: Input<Value, Row, RowValue>;
  /** The form's value of a row, if `read` cannot make it from the row's field of the same name. */
  value?(row: Row): Value;
}

/** The declarations of an entity, in the order of the table. */
export type Fields<Row> = Readonly<Record<string, Field<Row, unknown>>>;

/**
 * The same with the types of all fields. Unless a field has a `value`, its control reads the row's field of the
 * same name and must accept its type. A name that the row lacks is listed as `Other`.
 */
export type FieldsOf<Row, Other extends string = never> = {
  readonly [Name in keyof Row]?:
    | Field<Row, unknown, Row[Name]>
    | (Field<Row, unknown> & { value(row: Row): unknown });
} & {
  readonly [Name in Other]?: Field<Row, unknown> &
    ({ input?: undefined } | { value(row: Row): unknown });
};

/** The values of a form, by the controls of its fields. */
export type ValuesOf<F> = {
  -readonly [Name in keyof F as F[Name] extends { input: unknown }
    ? Name
    : never]: F[Name] extends {
    input: Input<infer Value, never, never>;
  }
    ? Value
    : never;
};

/** A column of the table, ready to be rendered. */
export interface Column<Row> extends FieldColumn<Row> {
  id: string;
  label: string;
  /** The API's field that orders the table by this column. */
  orderBy?: string;
  cell(row: Row): ReactNode;
}

interface AnyRow {
  id: number;
  /** The number of an order or invoice. */
  number?: string;
}

const ID_COLUMN: Column<AnyRow> = {
  id: "id",
  label: "ID",
  orderBy: "id",
  cell: ({ id, number }) => <span title={number}>{id}</span>,
};

/** The columns of the table: the id, then those of the fields. */
export function columnsOf<Row extends AnyRow>(fields: Fields<Row>): Column<Row>[] {
  const own = Object.entries(fields).flatMap(([id, { label, column }]) =>
    column
      ? {
          cell: (row: Row) => {
            const shown = shownOf(fields, id, row);
            return typeof shown === "boolean" ? <YesNo value={shown} /> : String(shown ?? "");
          },
          ...column,
          id,
          label: column.label ?? label,
          ...(column.isSortable && { orderBy: id }),
        }
      : [],
  );
  return [ID_COLUMN, ...own];
}

/** The form's value of a row's field. */
function shownOf<Row>(fields: Fields<Row>, name: string, row: Row): unknown {
  const { input, value } = fields[name] ?? {};
  if (value) return value(row);
  const rowValue = (row as Record<string, unknown>)[name];
  return input?.read ? input.read(rowValue as never) : (rowValue ?? input?.empty);
}

/** The names of the form's fields. */
export const inputNames = <Row,>(fields: Fields<Row>): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.input);

/** The labels of the form's fields, for the history and the comparison of two versions. */
export const labelsOf = <Row,>(fields: Fields<Row>): Record<string, string> =>
  Object.fromEntries(inputNames(fields).map((name) => [name, fields[name]?.label ?? name]));

/** The form's values for a row; without a row, those of the form that adds. */
export const valuesOf = <Row,>(fields: Fields<Row>, row: Row | null): Record<string, unknown> =>
  Object.fromEntries(
    inputNames(fields).map((name) => [
      name,
      row ? shownOf(fields, name, row) : fields[name]?.input?.empty,
    ]),
  );
