import { ProductImage } from "@/components/catalogue/product-image";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { ArrowRightIcon } from "@/components/ui/icons";

/** The shop's promise, beside a picture of a product. */
export function EditorialBand({ image }: { image: string | null }) {
  return (
    <section aria-labelledby="band-title" className="mt-section bg-ground">
      <div className="page-column grid items-center gap-x-12 gap-y-6 md:grid-cols-2 lg:gap-x-20">
        {/* On a phone as wide as the window; beside the text as high as the band. */}
        <div className="aspect-4/3 w-full overflow-hidden max-md:-mx-gutter max-md:w-auto md:aspect-6/5">
          <ProductImage image={image} use="detail" className="size-full object-cover" />
        </div>
        <div className="pb-10 md:py-14">
          <h2 id="band-title" className="font-display text-title">
            Choisis un par un
          </h2>
          <p className="mt-4 max-w-prose text-muted md:text-lg">
            Chaque objet a été choisi pour ce qu’il fait bien, et pour durer. Chaque fichier s’ouvre
            dès le paiement, sans abonnement. Et ce qui ne convient pas se rend sous quatorze jours.
          </p>
          <p className="mt-5">
            <HoverPrefetchLink
              href="/products?date_sort=newest"
              className="link inline-flex items-center gap-2 font-medium"
            >
              Voir les nouveautés <ArrowRightIcon size={18} />
            </HoverPrefetchLink>
          </p>
        </div>
      </div>
    </section>
  );
}
