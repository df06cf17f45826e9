import Link from "next/link";
import { Alert } from "@/components/ui/alert";

/** Warns that invoices lack the seller's details, which the law requires. */
export function SellerMissing({ link = false }: { link?: boolean }) {
  return (
    <Alert kind="warning">
      Les factures ne disent pas encore qui vend&nbsp;: la raison sociale, l’adresse, le SIREN et,
      sauf en franchise de TVA, le numéro de TVA sont obligatoires.
      {link && (
        <span>
          {" "}
          <Link href="/backoffice/seller" prefetch={false} className="link">
            Renseigner le vendeur
          </Link>
        </span>
      )}
    </Alert>
  );
}

const inWords = new Intl.ListFormat("fr-FR");

/**
 * Says that nobody can pay: with a live key of Stripe, the seller's details and terms are required.
 *
 * @param missing the French names of the missing details
 */
export function SellingRefused({ missing }: { missing: readonly string[] }) {
  return (
    <Alert kind="error">
      La boutique ne vend pas&nbsp;: avec une clé réelle de Stripe, aucun paiement n’est accepté
      tant qu’il manque <span>{inWords.format(missing)}</span>.{" "}
      <Link href="/backoffice/seller" prefetch={false} className="link">
        Compléter
      </Link>
    </Alert>
  );
}

/** Warns that buyers are shown no general terms, which the law requires. */
export function TermsMissing() {
  return (
    <Alert kind="warning">
      Les conditions générales de vente, que la loi demande de donner avant chaque commande,
      manquent encore.{" "}
      <Link href="/backoffice/seller" prefetch={false} className="link">
        Les publier
      </Link>
    </Alert>
  );
}
