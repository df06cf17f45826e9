import clsx from "clsx";
import type { ReactElement, ReactNode } from "react";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { ChevronLeftIcon, ChevronRightIcon } from "@/components/ui/icons";

interface Crumb {
  label: string;
  /** Omitted for the last item, the page itself. */
  href?: string;
  /** Replaces the usual link. */
  link?: ReactElement;
}

const HOME: Crumb = { label: "Accueil", href: "/" };

/**
 * @param items the levels below the home page
 * @param isShortOnPhones on phones only the level above the page is shown, with an arrow that points back
 */
export function Breadcrumb({
  items,
  isShortOnPhones,
}: {
  items: readonly Crumb[];
  isShortOnPhones?: boolean;
}) {
  return (
    <nav aria-label="Fil d’Ariane" className="text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-1.5">
        {[HOME, ...items].map((item, index) => {
          const isAbove = isShortOnPhones && index === items.length - 1;
          return (
            <li
              key={item.href ?? item.label}
              className={clsx(
                "flex min-h-8 min-w-0 items-center gap-x-1.5",
                isAbove && "max-md:min-h-10",
                isShortOnPhones && !isAbove && "max-md:hidden",
              )}
            >
              {isAbove && <ChevronLeftIcon size={16} className="-mr-1 shrink-0 md:hidden" />}
              {index > 0 && (
                <ChevronRightIcon
                  size={14}
                  className={clsx("shrink-0", isAbove && "max-md:hidden")}
                />
              )}
              {item.link ??
                (item.href ? (
                  <CrumbLink href={item.href}>{item.label}</CrumbLink>
                ) : (
                  <span aria-current="page" className="text-ink">
                    {item.label}
                  </span>
                ))}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

export function CrumbLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <HoverPrefetchLink
      href={href}
      className="inline-flex min-h-8 items-center underline-offset-4 hover:text-ink hover:underline"
    >
      {children}
    </HoverPrefetchLink>
  );
}
