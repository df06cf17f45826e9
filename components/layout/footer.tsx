import Link from "next/link";
import { Logo } from "@/components/layout/logo";
import { CardIcon, DownloadIcon, StarIcon } from "@/components/ui/icons";
import { PAGES, pathsOf } from "@/lib/pages";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const promises = [
  {
    Icon: CardIcon,
    title: "Paiement sécurisé",
    text: "Par carte bancaire, avec l’authentification de votre banque.",
  },
  {
    Icon: DownloadIcon,
    title: "Fichiers disponibles aussitôt",
    text: "À télécharger depuis vos commandes dès le paiement.",
  },
  {
    Icon: StarIcon,
    title: "Avis d’acheteurs",
    text: "Seuls ceux qui ont acheté un produit peuvent le noter.",
  },
];

// Labels differ from the top navigation's: screen reader users list the links of a page by name.
const columns = [
  {
    title: "La boutique",
    links: [
      { href: "/products", label: "Tout le catalogue" },
      { href: "/products?type=physical", label: "Objets" },
      { href: "/products?type=digital", label: "À télécharger" },
    ],
  },
  {
    title: "Une question\u202f?",
    links: pathsOf(({ footer }) => Boolean(footer)).map((path) => ({
      href: path,
      label: PAGES[path].footer,
    })),
  },
];

export function Footer() {
  return (
    <footer className="mt-section border-line border-t bg-surface print:hidden">
      <div className="page-column">
        <ul className="grid gap-x-8 gap-y-6 border-line border-b py-10 md:grid-cols-3">
          {promises.map(({ Icon, title, text }) => (
            <li key={title} className="flex gap-4">
              <Icon size={24} className="mt-0.5 shrink-0 text-accent" />
              <div>
                <p className="font-medium">{title}</p>
                <p className="text-muted text-sm">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
      <div className="page-column grid gap-10 py-12 sm:grid-cols-2 md:py-16 lg:grid-cols-[1fr_auto_auto] lg:gap-24">
        <div className="max-w-sm sm:col-span-2 lg:col-span-1">
          <Link
            href="/"
            prefetch={false}
            className="inline-flex min-h-8 items-center gap-2.5 font-semibold tracking-tight"
          >
            <Logo />
            {SHOP_NAME}
          </Link>
          <p className="mt-4 text-muted text-sm">
            Des objets bien faits et des fichiers utiles, choisis un par un.
          </p>
        </div>
        {columns.map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <p className="font-medium text-sm">{column.title}</p>
            <ul className="mt-3 space-y-1">
              {column.links.map(({ href, label }) => (
                <li key={href}>
                  <Link
                    href={href}
                    prefetch={false}
                    className="inline-flex min-h-8 items-center text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="page-column">
        <div className="flex flex-col gap-x-8 gap-y-1 border-line border-t py-6 text-muted text-xs sm:flex-row sm:justify-between">
          <p>© {SHOP_NAME}. Prix en euros.</p>
          <p>Images d’après Fluent Emoji (Microsoft, licence MIT). Police Figtree (OFL).</p>
        </div>
      </div>
    </footer>
  );
}
