// The links of the top navigation, said once for the bar and for the burger menu.

/** Shown to everybody, or only to those for whom the class (see globals.css) applies. */
const audiences = {
  everybody: "",
  "logged-in": "hidden logged-in:block",
  "logged-out": "logged-in:hidden",
  admin: "hidden admin:block",
} as const;

interface NavigationLink {
  href: string;
  label: string;
  /** Classes of the list item. */
  className: string;
  /** Pages that ask who the visitor is are not worth loading ahead. */
  prefetch?: false;
  /** Loaded as a whole: its document has a policy of its own (docs/decisions/030). */
  isDocument?: true;
}

export const shopLinks: readonly NavigationLink[] = [
  { href: "/", label: "Accueil", className: audiences.everybody },
  { href: "/products", label: "Nos produits", className: audiences.everybody },
  { href: "/contact", label: "Contact", className: audiences.everybody },
];

export const accountLinks: readonly NavigationLink[] = [
  { href: "/backoffice", label: "Back office", className: audiences.admin, isDocument: true },
  { href: "/account", label: "Mon compte", className: audiences["logged-in"], prefetch: false },
  { href: "/login", label: "Connexion", className: audiences["logged-out"], prefetch: false },
  { href: "/register", label: "Inscription", className: audiences["logged-out"], prefetch: false },
];

export const loggedInOnly = audiences["logged-in"];
