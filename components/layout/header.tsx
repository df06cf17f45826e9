import clsx from "clsx";
import Link from "next/link";
import type { ReactNode } from "react";
import { CartLink } from "@/components/layout/cart-link";
import { HeaderState } from "@/components/layout/header-state";
import { Logo } from "@/components/layout/logo";
import { LogoutButton } from "@/components/layout/logout-button";
import { accountLinks, loggedInOnly, shopLinks } from "@/components/layout/navigation";
import { SearchForm } from "@/components/layout/search-form";
import { CloseIcon, MenuIcon, SearchIcon } from "@/components/ui/icons";

const iconButton =
  "grid size-11 list-none place-items-center rounded-md hover:bg-surface group-open:bg-surface";
const panel =
  "absolute inset-x-0 top-full max-h-[calc(100dvh-var(--spacing-header))] overflow-y-auto border-line border-t bg-bg shadow-overlay";
const burgerLink = "flex min-h-12 items-center text-lg";

/** The top navigation. `cart` replaces the plain link to the cart. */
export function Header({ cart = <CartLink /> }: { cart?: ReactNode }) {
  return (
    <header id="site-header" className="sticky top-0 z-40 border-line border-b bg-bg">
      <HeaderState />
      <div className="page-column flex h-header items-center gap-4 xl:gap-8">
        <Link href="/" className="flex shrink-0 items-center gap-2.5 font-semibold tracking-tight">
          <Logo />
          Mini Ecommerce
        </Link>

        <nav
          aria-label="Navigation principale"
          className="flex flex-1 items-center justify-end gap-1 lg:gap-5 xl:gap-8"
        >
          <ul className="hidden items-center gap-5 lg:flex xl:gap-7">
            {shopLinks.map(({ label, className, ...link }) => (
              <li key={link.href} className={className}>
                <Link {...link} className="nav-link">
                  {label}
                </Link>
              </li>
            ))}
          </ul>

          <SearchForm className="mx-auto hidden w-full max-w-md flex-1 md:block" />

          <ul className="hidden items-center gap-5 lg:flex xl:gap-7">
            {accountLinks.map(({ label, className, ...link }) => (
              <li key={link.href} className={className}>
                <Link {...link} className="nav-link">
                  {label}
                </Link>
              </li>
            ))}
            <li className={loggedInOnly}>
              <LogoutButton className="nav-link" />
            </li>
          </ul>

          {/* One `name`: opening one panel closes the other, without JavaScript too. */}
          <details name="site-menu" className="group md:hidden">
            <summary className={iconButton}>
              <SearchIcon size={22} />
              <span className="sr-only">Rechercher</span>
            </summary>
            <div className={clsx(panel, "px-gutter py-4")}>
              <SearchForm />
            </div>
          </details>

          {cart}

          <details name="site-menu" className="group lg:hidden">
            <summary className={iconButton}>
              <MenuIcon size={24} className="group-open:hidden" />
              <CloseIcon size={24} className="hidden group-open:block" />
              <span className="sr-only">Menu</span>
            </summary>
            <div className={panel}>
              <ul className="page-column divide-y divide-line py-2">
                {[...shopLinks, ...accountLinks].map(({ label, className, ...link }) => (
                  <li key={link.href} className={className}>
                    <Link {...link} prefetch={false} className={burgerLink}>
                      {label}
                    </Link>
                  </li>
                ))}
                <li>
                  <Link href="/cart" prefetch={false} className={burgerLink}>
                    Voir le panier
                  </Link>
                </li>
                <li className={loggedInOnly}>
                  <LogoutButton className={clsx(burgerLink, "w-full")} />
                </li>
              </ul>
            </div>
          </details>
        </nav>
      </div>
    </header>
  );
}
