import { BestSold } from "@/components/catalogue/best-sold";
import { SearchForm } from "@/components/layout/search-form";
import { ButtonLink } from "@/components/ui/button";

/** The 404 message, inside and outside of the site's layout. */
export function NotFoundMessage() {
  return (
    <div className="page-column py-section">
      <div className="flex flex-col items-center gap-5 text-center">
        <p className="font-semibold text-accent">Erreur 404</p>
        <h1 className="text-title">Page introuvable</h1>
        <p className="max-w-prose text-lg text-muted">
          Cette page n’existe pas ou n’existe plus. Le produit que vous cherchez a peut-être quitté
          la boutique.
        </p>
        <SearchForm className="w-full max-w-md text-left" />
        <p className="flex flex-wrap justify-center gap-3">
          <ButtonLink href="/products">Parcourir le catalogue</ButtonLink>
          <ButtonLink href="/" variant="secondary">
            Retour à l’accueil
          </ButtonLink>
        </p>
      </div>
      <BestSold />
    </div>
  );
}
