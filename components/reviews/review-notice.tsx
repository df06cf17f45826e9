import Link from "next/link";

/**
 * Information required by the Code de la consommation (L111-7-2, D111-16 to D111-19). Beside the reviews:
 * the control, the dates, the order. Easily accessible: compensation, delays, edits, refusals.
 */
export function ReviewNotice() {
  return (
    <div className="text-muted text-sm">
      <p>
        Seuls les clients qui ont acheté ce produit dans la boutique peuvent donner leur avis.
        Chaque avis est contrôlé avant sa publication.
      </p>
      <details className="mt-2">
        <summary className="inline-flex min-h-8 w-fit cursor-pointer items-center text-accent underline underline-offset-4">
          Comment nous recueillons les avis
        </summary>
        <ul className="mt-2 list-disc space-y-2 pl-4">
          <li>
            L’achat est vérifié dans les commandes de l’auteur, qui peut laisser un seul avis par
            produit. Les dates de publication et d’achat sont indiquées avec chaque avis.
          </li>
          <li>
            Un avis est lu par notre équipe avant d’être publié. Il est refusé s’il est étranger au
            produit, injurieux, illicite ou publicitaire, ou s’il contient des données personnelles.
            Son auteur voit sur cette page qu’il a été refusé, et pourquoi.
          </li>
          <li>
            Les avis sont classés du plus récent au plus ancien. Vous pouvez choisir de voir d’abord
            les meilleures ou les moins bonnes notes&#8239;; à note égale, les plus récents viennent
            d’abord.
          </li>
          <li>
            L’auteur peut modifier ou supprimer son avis à tout moment. Un avis modifié est contrôlé
            de nouveau et prend la date de sa modification. Nous ne mettons pas les lecteurs en
            relation avec les auteurs.
          </li>
          <li>Aucune contrepartie n’est donnée en échange d’un avis.</li>
          <li>
            Aucun délai maximal n’est fixé pour la publication ni pour la conservation d’un
            avis&nbsp;: il reste en ligne tant que le produit est en vente et que l’auteur ne
            supprime ni son avis ni ses données.
          </li>
          <li>
            Vous doutez de l’authenticité d’un avis&#8239;?{" "}
            <Link href="/contact" prefetch={false} className="link">
              Signalez-le-nous
            </Link>{" "}
            en indiquant vos raisons.
          </li>
        </ul>
      </details>
    </div>
  );
}
