// Every page of the shop, once. Rewrites, guards, stored pages, sitemap, robots.txt, and metadata
// read this table. The folders of app/, the matcher of middleware.ts and the rules for Varnish
// cannot: lib/pages.test.ts compares them with it.

/**
 * - `everybody`: for everybody, logged in or not
 * - `guest`: for visitors who are logged out
 * - `user`: for visitors who are logged in
 * - `admin`: for administrators
 * - `checkout`: logged in, and coming from the cart
 */
export type PageAccess = "everybody" | "guest" | "user" | "admin" | "checkout";

interface Page {
  access: PageAccess;
  /**
   * In the browser's tab, before the shop's name. Pages without a title here are named after their content.
   */
  title?: string;
  /** May search engines list it? Then it is in the sitemap, too. */
  isIndexed?: true;
  /** Where in app/site/[locale] it is, if not at its own path. */
  folder?: string;
  /** Rendered for each request, in a folder of its own in app/. */
  isRendered?: true;
  /** Its URL holds a secret or belongs to one person. Like `isRendered`, rendered for each request. */
  isPersonal?: true;
}

/**
 * Is the page cached as a whole and sent to everybody? Next.js writes the URL that it renders for into the
 * page, so a page with a private URL must not be cached.
 */
export const isStored = ({ isRendered, isPersonal }: Page): boolean => !isRendered && !isPersonal;

/** `:id` is one segment of a path, `:token?` one or none, `:path*` any number of them. */
const TABLE = {
  "/": { access: "everybody", title: "Accueil", isIndexed: true },
  "/products": { access: "everybody", isIndexed: true },
  "/product/:id": { access: "everybody" },
  // The token of its mailed link is in the fragment, which no server sees.
  "/stock-alert": { access: "everybody", title: "Alerte de disponibilité" },
  "/contact": { access: "everybody", title: "Contact", isIndexed: true },
  "/contact/merci": { access: "everybody", title: "Contact" },
  "/conditions-generales-de-vente": {
    access: "everybody",
    title: "Conditions générales de vente",
    isIndexed: true,
  },
  "/livraison-et-retours": {
    access: "everybody",
    title: "Livraison et retours",
    isIndexed: true,
  },
  "/mentions-legales": {
    access: "everybody",
    title: "Mentions légales",
    isIndexed: true,
  },
  "/login": { access: "guest", title: "Connexion" },
  "/register": { access: "guest", title: "Inscription" },
  "/forget-password": { access: "guest", title: "Mot de passe oublié" },
  "/reset-password/:token?": { access: "guest", title: "Nouveau mot de passe", isPersonal: true },
  "/account-verification/:token?": {
    access: "guest",
    title: "Vérification de votre compte",
    isPersonal: true,
  },
  "/account": { access: "user", title: "Mon compte" },
  "/profile": { access: "user", title: "Mon profil" },
  "/addresses": { access: "user", title: "Mes adresses" },
  "/orders": { access: "user", title: "Mes commandes" },
  "/cart": { access: "user", title: "Panier" },
  "/order/:id/confirmation": {
    access: "user",
    title: "Confirmation de commande",
    folder: "/order-confirmation",
    isPersonal: true,
  },
  "/checkout": { access: "checkout", title: "Commande" },
  "/backoffice/:path*": { access: "admin", isRendered: true },
  // The page itself decides who may read it: lib/mailbox/access.ts.
  "/mailbox/:path*": {
    access: "everybody",
    title: "Boîte aux lettres de démonstration",
    isRendered: true,
  },
} satisfies Record<string, Page>;

export type PagePath = keyof typeof TABLE;
export const PAGES: Readonly<Record<PagePath, Page>> = TABLE;

const paths = Object.keys(TABLE) as PagePath[];

/** The paths of the pages for which `isWanted` holds. */
export const pathsOf = (isWanted: (page: Page) => boolean): PagePath[] =>
  paths.filter((path) => isWanted(PAGES[path]));

/** Matches the URLs of these pages, with or without a query. */
export const urlPattern = (paths: readonly string[]) => {
  const sources = paths.map((path) =>
    path
      .replace(/\/:\w+\*$/, "(?:/[^?]*)?")
      .replace(/\/:\w+\?$/, "(?:/[^/?]+)?")
      .replace(/:\w+/g, "[^/?]+"),
  );
  return new RegExp(`^(?:${sources.join("|")})(?:\\?|$)`);
};

/** Where the pages for visitors are in app/, but for the language: docs/decisions/002. */
export const SITE = "/site/fr";

const patterns = paths.map((path) => ({ ...PAGES[path], pattern: urlPattern([path]) }));

/** Who may see the page at a path; `everybody` for a path that is no page. */
export const accessOf = (path: string): PageAccess =>
  patterns.find(({ pattern }) => pattern.test(path))?.access ?? "everybody";

/** Is the page at a path cached as a whole? Yes for a path that is no page: the page for unknown addresses is. */
export const isStoredPath = (path: string): boolean =>
  isStored(patterns.find(({ pattern }) => pattern.test(path)) ?? PAGES["/"]);

/** Where in app/site/[locale] a page is. */
export const folderOf = (path: PagePath) => PAGES[path].folder ?? path.replace(/\/:\w+\?$/, "");
