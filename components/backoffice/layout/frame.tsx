import {
  ArrowLeft,
  Euro,
  FolderTree,
  LayoutDashboard,
  MapPin,
  Package,
  ReceiptText,
  ShoppingBasket,
  Star,
  Tag,
  Truck,
  Undo2,
  Users,
} from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Analytics } from "@/components/analytics/analytics";
import { SessionGuard } from "@/components/auth/session-guard";
import { BackofficeReauthentication } from "@/components/backoffice/layout/backoffice-reauthentication";
import { OpenWithdrawals } from "@/components/backoffice/withdrawals/open-withdrawals";
import { AuthState } from "@/components/layout/auth-state";
import { Logo } from "@/components/layout/logo";
import { LogoutButton } from "@/components/layout/logout-button";
import { NavigationState } from "@/components/layout/navigation-state";
import { SkipLink } from "@/components/layout/skip-link";
import { CloseIcon, MenuIcon } from "@/components/ui/icons";

const WITHDRAWALS = "/backoffice/withdrawals";

const screens = [
  { href: "/backoffice/", label: "Tableau de bord", Icon: LayoutDashboard },
  { href: "/backoffice/products", label: "Produits", Icon: Package },
  { href: "/backoffice/orders", label: "Commandes", Icon: Euro },
  { href: WITHDRAWALS, label: "Rétractations", Icon: Undo2 },
  { href: "/backoffice/invoices", label: "Factures", Icon: ReceiptText },
  { href: "/backoffice/cart", label: "Paniers", Icon: ShoppingBasket },
  { href: "/backoffice/users", label: "Utilisateurs", Icon: Users },
  { href: "/backoffice/addresses", label: "Adresses", Icon: MapPin },
  { href: "/backoffice/category", label: "Catégories", Icon: FolderTree },
  { href: "/backoffice/reviews", label: "Avis", Icon: Star },
  { href: "/backoffice/tags", label: "Tags", Icon: Tag },
  { href: "/backoffice/shipping", label: "Livraison", Icon: Truck },
] as const;

const entry =
  "flex min-h-10 w-full items-center gap-3 rounded-md px-3 text-sm hover:bg-surface-strong aria-[current=page]:bg-accent aria-[current=page]:font-medium aria-[current=page]:text-on-accent";

interface FrameProps {
  /** Base URL of the Matomo server, if there is one. */
  matomoUrl?: string;
  children: ReactNode;
}

/**
 * The layout of the back office's pages: a menu at the side, below 64rem in a panel that a button
 * opens (the browser's own popover).
 */
export function Frame({ matomoUrl, children }: FrameProps) {
  return (
    <>
      <SkipLink />
      <AuthState />
      <SessionGuard adminOnly />
      <NavigationState menu="#backoffice-menu" />
      <header className="group sticky top-0 z-30 flex h-header items-center justify-between border-line border-b bg-bg px-gutter print:px-0 lg:hidden print:static print:flex">
        <Brand />
        <button
          type="button"
          popoverTarget="backoffice-menu"
          aria-label="Menu"
          className="-mr-2.5 grid size-11 place-items-center rounded-md hover:bg-surface print:hidden"
        >
          <MenuIcon size={24} />
        </button>
      </header>
      <div className="flex-1 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] print:block">
        <nav
          id="backoffice-menu"
          popover="auto"
          aria-label="Menu du back office"
          className="fixed inset-y-0 right-auto left-0 m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto border-line border-r bg-surface p-4 text-ink backdrop:bg-ink/40 lg:sticky lg:top-0 lg:block lg:w-auto lg:max-w-none print:hidden"
        >
          <div className="mb-5 flex min-h-11 items-center justify-between">
            <Brand />
            <button
              type="button"
              popoverTarget="backoffice-menu"
              popoverTargetAction="hide"
              aria-label="Fermer le menu"
              className="grid size-11 place-items-center rounded-md hover:bg-surface-strong lg:hidden"
            >
              <CloseIcon />
            </button>
          </div>
          <ul className="flex flex-col gap-0.5">
            {screens.map(({ href, label, Icon }) => (
              <li key={href}>
                <Link href={href} prefetch={false} className={entry}>
                  <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
                  <span>{label}</span>
                  {href === WITHDRAWALS && <OpenWithdrawals />}
                </Link>
              </li>
            ))}
            <li className="mt-3 border-line border-t pt-3">
              <Link href="/" prefetch={false} className={entry}>
                <ArrowLeft size={18} strokeWidth={1.75} aria-hidden="true" />
                Retour au site
              </Link>
            </li>
            <li>
              <LogoutButton className={`${entry} pl-10.5! text-muted`} />
            </li>
          </ul>
        </nav>
        <main id="contenu" tabIndex={-1} className="min-w-0 px-gutter py-6 lg:px-8 print:px-0">
          <p className="mb-4 hidden noscript:block">Cette page a besoin de JavaScript.</p>
          {children}
        </main>
      </div>
      <BackofficeReauthentication />
      <Analytics matomoUrl={matomoUrl} />
    </>
  );
}

function Brand() {
  return (
    <p className="flex items-center gap-2.5 font-semibold tracking-tight">
      <Logo />
      Back office
    </p>
  );
}
