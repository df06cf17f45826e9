import { MapPin, Package, UserRound } from "lucide-react";
import Link from "next/link";
import { AccountFrame } from "@/components/account/account-frame";
import { LastOrder } from "@/components/account/last-order";
import { SuccessNotice } from "@/components/account/success-notice";
import { ChevronRightIcon } from "@/components/ui/icons";

const cards = [
  {
    href: "/profile",
    Icon: UserRound,
    title: "Mon profil",
    text: "Vos nom et prénom, votre mot de passe, la double authentification.",
  },
  {
    href: "/addresses",
    Icon: MapPin,
    title: "Mes adresses",
    text: "Où vos commandes sont livrées et à quelle adresse elles sont facturées.",
  },
  {
    href: "/orders",
    Icon: Package,
    title: "Mes commandes",
    text: "Le détail de vos achats, vos factures et vos téléchargements.",
  },
];

/** The account's hub: the last order, and links to its three pages. */
export function AccountPage() {
  return (
    <AccountFrame title="Mon compte">
      <SuccessNotice />
      <LastOrder />
      <ul className="grid gap-4 md:grid-cols-3 md:gap-6">
        {cards.map(({ href, Icon, title, text }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              className="group flex h-full flex-wrap gap-5 rounded-xl border border-line p-5 transition-shadow hover:shadow-raised md:flex-col md:flex-nowrap md:p-7"
            >
              <span className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
                <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
              </span>
              <span className="flex min-w-[min(10rem,100%)] flex-1 flex-col gap-1.5">
                <span className="flex items-center gap-1 text-heading">
                  <span>{title}</span>
                  <ChevronRightIcon
                    size={20}
                    className="text-accent transition-transform group-hover:translate-x-1"
                  />
                </span>
                <span className="text-muted">{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </AccountFrame>
  );
}
