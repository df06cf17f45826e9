import type { ReactElement, ReactNode } from "react";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { ChevronRightIcon } from "@/components/ui/icons";

interface Crumb {
  label: string;
  /** Omitted for the last item, the page itself. */
  href?: string;
  /** Replaces the usual link. */
  link?: ReactElement;
}

const HOME: Crumb = { label: "Accueil", href: "/" };

/** @param items the levels below the home page */
export function Breadcrumb({ items }: { items: readonly Crumb[] }) {
  return (
    <nav aria-label="Fil d’Ariane" className="text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-1.5">
        {[HOME, ...items].map((item, index) => (
          <li key={item.href ?? item.label} className="flex min-h-8 min-w-0 items-center gap-x-1.5">
            {index > 0 && <ChevronRightIcon size={14} className="shrink-0" />}
            {item.link ??
              (item.href ? (
                <CrumbLink href={item.href}>{item.label}</CrumbLink>
              ) : (
                <span aria-current="page" className="text-ink">
                  {item.label}
                </span>
              ))}
          </li>
        ))}
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
