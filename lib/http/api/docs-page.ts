import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Html, html, htmlDocument } from "@/lib/http/html";
import { SHOP_NAME } from "@/lib/shop/shop-name";

// The manual of the API: Redoc, served by the shop itself. docs/decisions/011.

/** Redoc shows its maker's logo from another host, which the page may not load. */
const REDOC_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** `GET /api/docs/viewer.js`: Redoc, without that logo. */
export function viewerScript(): string {
  const file = path.join(process.cwd(), "node_modules/redoc/bundles/redoc.standalone.js");
  return readFileSync(/* turbopackIgnore: true */ file, "utf8").replace(REDOC_LOGO, "data:,");
}

const FONT = "system-ui, sans-serif";

const OPTIONS = {
  // It announces itself in English.
  hideLoading: true,
  hideDownloadButtons: true,
  sortRequiredPropsFirst: true,
  theme: {
    colors: { primary: { main: "#14594a" } },
    typography: { fontFamily: FONT, headings: { fontFamily: FONT } },
  },
  // The texts that Redoc lets one translate.
  labels: {
    enum: "Valeurs",
    enumSingleValue: "Valeur",
    enumArray: "Éléments",
    default: "Par défaut",
    deprecated: "Obsolète",
    example: "Exemple",
    examples: "Exemples",
    recursive: "Récursif",
    arrayOf: "Liste de ",
    const: "Valeur",
    noResultsFound: "Aucun résultat",
    responses: "Réponses",
    requestSamples: "Exemples de requête",
    responseSamples: "Exemples de réponse",
  },
};

const START = `Redoc.init("/api/docs.json", ${JSON.stringify(OPTIONS)}, document.querySelector("main"));`;

const STYLE = `
body{margin:0;font:1rem/1.6 system-ui,sans-serif}
nav,noscript p{padding:.75rem 1.25rem;margin:0}
nav a{display:inline-block;margin-right:1rem;color:#14594a}
`;

/**
 * Only Redoc, its start and the OpenAPI document, all from the shop itself. Redoc writes styles into the
 * page, and searches in a worker that it makes from a text.
 */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash("sha256").update(START).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `GET /api/docs`: the OpenAPI document in Redoc; without JavaScript, links to it. */
export function docsPage(): string {
  // The script's URL changes with its text, so that browsers can keep it.
  const version = createHash("sha256").update(viewerScript()).digest("base64url").slice(0, 12);
  return htmlDocument({
    title: html`Documentation de l'API - ${SHOP_NAME}`,
    head: html`<meta name="description" content="Tous les appels de l'API de la boutique ${SHOP_NAME}, leurs paramètres et leurs réponses.">`,
    style: STYLE,
    body: html`<nav aria-label="Documentation">
<a href="/">${SHOP_NAME}</a> <a href="/api/docs.json">OpenAPI 3.1</a> <a href="/api/docs.jsonld">Hydra</a> <a href="/api">Point d'entrée</a>
</nav>
<noscript><p>Cette page demande JavaScript. Tous les appels sont aussi dans le <a href="/api/docs.json">document OpenAPI</a>.</p></noscript>
<main></main>
<script src="/api/docs/viewer.js?v=${version}"></script>
<script>${new Html(START)}</script>`,
  });
}
