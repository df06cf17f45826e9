import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface TableProps {
  /** Says what the table holds; shown to screen readers. */
  caption: string;
  /** `<thead>` and `<tbody>`. */
  children: ReactNode;
  className?: string;
}

/** A table that scrolls inside its frame, so that the page never scrolls sideways. */
export function Table({ caption, children, className }: TableProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard could not scroll it otherwise
      tabIndex={0}
      aria-label={caption}
      className={clsx("overflow-auto rounded-md border border-line", className)}
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

/** A column's heading; it stays in view when the frame scrolls. */
export function HeaderCell({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={clsx(
        "sticky top-0 whitespace-nowrap bg-surface px-4 py-3 font-medium text-muted",
        className,
      )}
    />
  );
}

export function Cell({ className, ...props }: ComponentProps<"td">) {
  return (
    <td {...props} className={clsx("border-line border-t px-4 py-3 align-middle", className)} />
  );
}

/** The row of a table that holds nothing. */
export function EmptyRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr>
      <Cell colSpan={columns} className="py-12 text-center text-muted">
        {children}
      </Cell>
    </tr>
  );
}
