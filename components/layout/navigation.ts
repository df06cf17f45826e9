// The links of the top navigation, shared by the bar and the burger menu.

/** Classes (see globals.css) that show a link to everybody, or to some visitors only. */
const audiences = {
  everybody: "",
  "logged-in": "hidden logged-in:block",
  "logged-out": "logged-in:hidden",
  admin: "hidden admin:block",
} as const;

export interface NavigationLink {
  href: string;
  label: string;
  /** Classes of the list item. */
  className: string;
  /** Pages that depend on the session are not worth prefetching. */
  prefetch?: false;
  /** No client-side navigation: its document has its own policy (docs/decisions/030). */
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
