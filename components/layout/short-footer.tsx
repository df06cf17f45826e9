import Link from "next/link";
import type { ReactNode } from "react";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const links = [
  { href: "/contact", label: "Nous écrire" },
  { href: "/conditions-generales-de-vente", label: "Conditions de vente" },
  { href: "/mentions-legales", label: "Mentions légales" },
] as const;

/** Put into a page on which few links should lead away: it gets the footer of one line. */
export const ShortFooterMark = () => <span data-short-footer="" hidden />;

/**
 * The footer, and its short form of one line. Which of them is shown depends on the page, which the shared
 * layout does not know: a style looks for the page's `ShortFooterMark`.
 */
export function Footers({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="[body:has([data-short-footer])_&]:hidden">{children}</div>
      <footer className="mt-section hidden border-line border-t print:hidden! [body:has([data-short-footer])_&]:block">
        <div className="page-column flex min-h-14 flex-wrap items-center gap-x-6 py-2 text-muted text-sm">
          <p className="mr-auto">© {SHOP_NAME}</p>
          {links.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              className="inline-flex min-h-8 items-center underline-offset-4 hover:text-ink hover:underline"
            >
              {label}
            </Link>
          ))}
        </div>
      </footer>
    </>
  );
}
