"use client";

import { SHOP_NAME } from "@/lib/shop/shop-name";

/** Replaces a page whose root layout failed, without the layout's styles. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="fr">
      <body
        style={{ fontFamily: "system-ui, sans-serif", padding: "4rem 1.5rem", textAlign: "center" }}
      >
        <title>{`Une erreur est survenue - ${SHOP_NAME}`}</title>
        <h1>Une erreur est survenue</h1>
        <p>La page n’a pas pu être affichée. Réessayez dans un instant.</p>
        <button type="button" onClick={() => window.location.reload()}>
          Réessayer
        </button>
        {error.digest && <p>{`Référence\u00a0: ${error.digest}`}</p>}
      </body>
    </html>
  );
}
