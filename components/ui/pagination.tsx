import clsx from "clsx";
import Link from "next/link";
import { type MouseEvent, useEffect, useRef } from "react";
import { ChevronLeftIcon, ChevronRightIcon } from "@/components/ui/icons";
import { pageNumbers } from "@/components/ui/page-numbers";

interface PaginationProps {
  /** From 1. */
  page: number;
  pageCount: number;
  /** The URL of a page. */
  href: (page: number) => string;
  /** Called on a plain click instead of following the link, for lists that page without reloading. */
  onSelect?: (page: number) => void;
  className?: string;
}

const item = "grid min-h-10 min-w-9 place-items-center rounded-md tabular-nums sm:min-w-10";

export function Pagination({ page, pageCount, href, onSelect, className }: PaginationProps) {
  const nav = useRef<HTMLElement>(null);
  const isFollowed = useRef(false);
  // The last page has no "Page suivante" link: the focus moves to the current page's number.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the page
  useEffect(() => {
    if (isFollowed.current && document.activeElement === document.body)
      nav.current?.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
    isFollowed.current = false;
  }, [page]);

  if (pageCount <= 1) return null;

  const link = (target: number) => ({
    href: href(target),
    prefetch: false,
    onClick:
      onSelect &&
      ((event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        isFollowed.current = true;
        onSelect(target);
      }),
  });

  return (
    <nav
      ref={nav}
      aria-label="Pagination"
      className={clsx("flex justify-center print:hidden", className)}
    >
      <ul className="flex flex-wrap items-center justify-center sm:gap-1">
        <li>
          {page > 1 ? (
            <Link {...link(page - 1)} rel="prev" className={clsx(item, "hover:bg-surface")}>
              <ChevronLeftIcon />
              <span className="sr-only">Page précédente</span>
            </Link>
          ) : (
            <span className={clsx(item, "text-line-strong")}>
              <ChevronLeftIcon />
            </span>
          )}
        </li>
        {pageNumbers(page, pageCount).map((entry) => (
          <li key={entry} className={clsx(entry < 0 && "text-muted")}>
            {entry < 0 ? (
              <span className={item}>…</span>
            ) : (
              <Link
                {...link(entry)}
                aria-label={`Page ${entry}`}
                aria-current={entry === page ? "page" : undefined}
                className={clsx(
                  item,
                  entry === page ? "bg-accent font-medium text-on-accent" : "hover:bg-surface",
                )}
              >
                {entry}
              </Link>
            )}
          </li>
        ))}
        <li>
          {page < pageCount ? (
            <Link {...link(page + 1)} rel="next" className={clsx(item, "hover:bg-surface")}>
              <ChevronRightIcon />
              <span className="sr-only">Page suivante</span>
            </Link>
          ) : (
            <span className={clsx(item, "text-line-strong")}>
              <ChevronRightIcon />
            </span>
          )}
        </li>
      </ul>
    </nav>
  );
}
