/**
 * For tables that are cards on narrow screens. `display: block` and `grid` remove the table semantics
 * from the accessibility tree; explicit roles restore them.
 */
export const TABLE_ROLES = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  heading: { role: "columnheader" },
  rowHeading: { role: "rowheader" },
  cell: { role: "cell" },
} as const;
