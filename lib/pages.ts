// Every page of the shop, once. Rewrites, guards, stored pages, sitemap, robots.txt, metadata and the footer
// read this table. lib/pages.test.ts compares it with what cannot: the folders of app/, the matcher of
// middleware.ts and the rules for Varnish.

/**
 * - `everybody`: for everybody, logged in or not
 * - `guest`: for visitors who are logged out
 * - `user`, `admin`: for those who are logged in, for administrators
 * - `checkout`: logged in, and coming from the cart
 */
export type PageAccess = "everybody" | "guest" | "user" | "admin" | "checkout";

interface Page {
  access: PageAccess;
  /** In the browser's tab, before the shop's name. Other pages are named after what they show. */
  title?: string;
  /** May search engines list it? Then it is in the sitemap, too. */
  isIndexed?: true;
  /** The label of its link in the footer. */
  footer?: string;
  /** Where in app/site/[locale] it is, if not at its own path. */
  folder?: string;
  /** Rendered for each request, in a folder of its own in app/. All others are cached as a whole. */
  isRendered?: true;
}

/** `:id` is one segment of a path, `:token?` one or none, `:path*` any number of them. */
const TABLE = {
  "/": { access: "everybody", title: "Accueil", isIndexed: true },
  "/products": { access: "everybody", isIndexed: true },
  "/product/:id": { access: "everybody" },
  "/contact": { access: "everybody", title: "Contact", isIndexed: true, footer: "Nous écrire" },
  "/contact/merci": { access: "everybody", title: "Contact" },
  "/conditions-generales-de-vente": {
    access: "everybody",
    title: "Conditions générales de vente",
    isIndexed: true,
    footer: "Conditions de vente",
  },
  "/mentions-legales": {
    access: "everybody",
    title: "Mentions légales",
    isIndexed: true,
    footer: "Mentions légales",
  },
  "/login": { access: "guest", title: "Connexion" },
  "/register": { access: "guest", title: "Inscription" },
  "/forget-password": { access: "guest", title: "Mot de passe oublié" },
  // One cached page for all tokens, as for all orders below.
  "/reset-password/:token?": { access: "guest", title: "Nouveau mot de passe" },
  "/account-verification/:token?": { access: "guest", title: "Vérification de votre compte" },
  "/account": { access: "user", title: "Mon compte" },
  "/profile": { access: "user", title: "Mon profil" },
  "/addresses": { access: "user", title: "Mes adresses" },
  "/orders": { access: "user", title: "Mes commandes" },
  "/cart": { access: "user", title: "Panier" },
  "/order/:id/confirmation": {
    access: "user",
    title: "Confirmation de commande",
    folder: "/order-confirmation",
  },
  "/checkout": { access: "checkout", title: "Commande" },
  "/backoffice/:path*": { access: "admin", isRendered: true },
  // It decides by itself who may read it: lib/mailbox/access.ts.
  "/mailbox/:path*": {
    access: "everybody",
    title: "Boîte aux lettres de démonstration",
    isRendered: true,
  },
} satisfies Record<string, Page>;

export type PagePath = keyof typeof TABLE;
export const PAGES: Readonly<Record<PagePath, Page>> = TABLE;

type PageEntry = Page & { path: PagePath };
const pages = Object.entries(PAGES).map(([path, page]) => ({ path, ...page }) as PageEntry);

/** The paths of pages for which `isWanted` holds. */
export const pathsOf = (isWanted: (page: Page) => boolean): PagePath[] =>
  pages.filter(isWanted).map(({ path }) => path);

/** Matches the URLs of these pages, with or without a query. */
const urlPattern = (paths: readonly string[]) => {
  const sources = paths.map((path) =>
    path
      .replace(/\/:\w+\*$/, "(?:/[^?]*)?")
      .replace(/\/:\w+\?$/, "(?:/[^/?]+)?")
      .replace(/:\w+/g, "[^/?]+"),
  );
  return new RegExp(`^(?:${sources.join("|")})(?:\\?|$)`);
};

/** The pages that are the same for everybody, and stored. */
export const PUBLIC_PAGE = urlPattern(
  pathsOf(({ access, isRendered }) => access === "everybody" && !isRendered),
);

/** The pages that are rendered for each request. */
export const RENDERED_PAGE = urlPattern(pathsOf(({ isRendered = false }) => isRendered));

const patterns = pages.map(({ path, access }) => ({ access, pattern: urlPattern([path]) }));

/** Who may see the page at a path. What is no page is left to others. */
export const accessOf = (path: string): PageAccess =>
  patterns.find(({ pattern }) => pattern.test(path))?.access ?? "everybody";

/** Begins the paths that crawlers need not read. */
export const CLOSED_PATHS: readonly string[] = pages
  .filter(({ access, isRendered }) => access !== "everybody" || isRendered)
  .map(({ path }) => path.replace(/\/:\w+[?*]$/, "").replace(/:.*/, ""));

/**
 * Where the pages for visitors really are: below a parameter, the language, so that they are not
 * rendered by the build but at their first request: docs/decisions/002.
 */
export const SITE = "/site/fr";

export const folderOf = ({ path, folder }: PageEntry) => folder ?? path.replace(/\/:\w+\?$/, "");

/** The rewrites of next.config.ts for all of them but the catalogue, whose views are many pages. */
export const pageRewrites = () =>
  pages
    .filter(({ path, isRendered }) => !isRendered && path !== "/products")
    .map((page) => ({ source: page.path, destination: `${SITE}${folderOf(page)}` }));
