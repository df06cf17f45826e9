"use client";

import clsx from "clsx";
import Link from "next/link";
import type { ReactNode } from "react";
import { CartMenu } from "@/components/cart/cart-menu";
import { Logo } from "@/components/layout/logo";
import { LogoutButton } from "@/components/layout/logout-button";
import { NavigationState } from "@/components/layout/navigation-state";
import { SearchForm } from "@/components/layout/search-form";
import { type Audience, ShownTo } from "@/components/layout/shown-to";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { CloseIcon, MenuIcon, SearchIcon } from "@/components/ui/icons";
import { SHOP_NAME } from "@/lib/shop/shop-name";

type NavigationAudience = Exclude<Audience, "named" | "unnamed">;

/** Hides an item from everyone but its audience, until ShownTo removes it from the document. */
const itemClass: Record<NavigationAudience, string> = {
  "logged-in": "hidden logged-in:block",
  "logged-out": "logged-in:hidden",
  admin: "hidden admin:block",
};

interface NavigationLink {
  href: string;
  label: string;
  /** Everyone by default. */
  audience?: NavigationAudience;
  /** Pages that depend on the session are not worth prefetching. */
  prefetch?: false;
  /** Loaded as a document, without client-side navigation: it has its own policy (docs/decisions/030). */
  isDocument?: true;
}

const shopLinks: readonly NavigationLink[] = [
  { href: "/", label: "Accueil" },
  { href: "/products", label: "Nos produits" },
  { href: "/contact", label: "Contact" },
];

const accountLinks: readonly NavigationLink[] = [
  { href: "/backoffice", label: "Back office", audience: "admin", isDocument: true },
  { href: "/account", label: "Mon compte", audience: "logged-in", prefetch: false },
  { href: "/login", label: "Connexion", audience: "logged-out", prefetch: false },
  { href: "/register", label: "Inscription", audience: "logged-out", prefetch: false },
];

// In pixels, as the icons and the gutter are: on a phone, larger text needs the room.
const iconButton =
  "grid size-[44px] place-items-center rounded-md hover:bg-surface group-has-[:popover-open]:bg-surface";
// The browser's own popovers: they open without JavaScript, one at a time, and close on Escape or on
// a click elsewhere. They are placed below the sticky header.
const panel =
  "fixed inset-x-0 top-header max-h-[calc(100dvh-var(--spacing-header))] w-full overflow-y-auto border-line border-b bg-bg text-ink shadow-overlay";
const burgerLink = "flex min-h-12 items-center text-lg";

/**
 * The top navigation. A client component, so that its elements stay out of the RSC payload, which is
 * rendered, stored and sent with each page: docs/decisions/002.
 */
export function Header() {
  return (
    <header
      id="site-header"
      className="@container sticky top-0 z-40 h-header border-line border-b bg-bg print:static"
    >
      <NavigationState menu="#site-header" />
      <div className="page-column flex h-full items-center gap-0.5 sm:gap-4 @wide:gap-8">
        <HoverPrefetchLink
          href="/"
          className="flex min-w-0 items-center gap-2.5 font-semibold tracking-tight"
        >
          <Logo />
          {/* Wraps to two lines where the text is enlarged on a phone. */}
          <span className="text-[length:min(1rem,6.4cqw)] leading-tight">{SHOP_NAME}</span>
        </HoverPrefetchLink>

        <nav
          aria-label="Navigation principale"
          className="flex flex-1 items-center justify-end gap-1 print:hidden @links:gap-5 @links:text-sm @wide:gap-8 @wide:text-base"
        >
          <ul className="hidden items-center gap-5 @links:flex @wide:gap-7">
            <NavigationItems links={shopLinks} className="nav-link" />
          </ul>

          <SearchForm className="mx-auto hidden w-full max-w-md flex-1 @search:block" />

          <ul className="hidden items-center gap-5 @links:flex @wide:gap-7">
            <NavigationItems links={accountLinks} className="nav-link" />
            <NavigationItem audience="logged-in">
              <LogoutButton className="nav-link" />
            </NavigationItem>
          </ul>

          <div className="group @search:hidden">
            <button type="button" popoverTarget="header-search" className={iconButton}>
              <SearchIcon size={22} />
              <span className="sr-only">Rechercher</span>
            </button>
            <div
              popover="auto"
              id="header-search"
              className={panel}
              onToggle={({ currentTarget, newState }) => {
                if (newState === "open") currentTarget.querySelector("input")?.focus();
              }}
            >
              <SearchForm inFlow className="px-gutter py-4" />
            </div>
          </div>

          <CartMenu />

          <div className="group -mr-[10px] @links:hidden">
            <button
              type="button"
              popoverTarget="header-menu"
              aria-label="Menu"
              className={iconButton}
            >
              <MenuIcon size={24} className="group-has-[:popover-open]:hidden" />
              <CloseIcon size={24} className="hidden group-has-[:popover-open]:block" />
            </button>
            <div popover="auto" id="header-menu" className={panel}>
              <ul className="page-column divide-y divide-line py-2">
                <NavigationItems
                  links={[...shopLinks, ...accountLinks]}
                  prefetch={false}
                  className={burgerLink}
                />
                <NavigationItem audience="logged-in">
                  <LogoutButton className={clsx(burgerLink, "w-full")} />
                </NavigationItem>
                <li>
                  <Link href="/cart" prefetch={false} className={burgerLink}>
                    Voir le panier
                  </Link>
                </li>
              </ul>
            </div>
          </div>
        </nav>
      </div>
    </header>
  );
}

interface NavigationItemsProps {
  links: readonly NavigationLink[];
  /** Classes of each link. */
  className: string;
  prefetch?: false;
}

function NavigationItems({ links, className, prefetch }: NavigationItemsProps) {
  return links.map(({ href, label, audience, isDocument, ...link }) => (
    <NavigationItem key={href} audience={audience}>
      {isDocument ? (
        <a href={href} className={className}>
          {label}
        </a>
      ) : (
        <HoverPrefetchLink href={href} prefetch={prefetch ?? link.prefetch} className={className}>
          {label}
        </HoverPrefetchLink>
      )}
    </NavigationItem>
  ));
}

function NavigationItem({
  audience,
  children,
}: {
  audience?: NavigationAudience | undefined;
  children: ReactNode;
}) {
  if (!audience) return <li>{children}</li>;
  return (
    <ShownTo audience={audience}>
      <li className={itemClass[audience]}>{children}</li>
    </ShownTo>
  );
}
