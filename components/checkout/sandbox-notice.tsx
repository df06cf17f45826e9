import { Alert } from "@/components/ui/alert";

/** Stripe's best known test cards, and their outcome in the sandbox. */
const CARDS = [
  { number: "4242 4242 4242 4242", outcome: "paiement accepté" },
  { number: "4000 0025 0000 3155", outcome: "authentification demandée" },
  { number: "4000 0000 0000 0002", outcome: "carte refusée" },
  { number: "4000 0000 0000 9995", outcome: "fonds insuffisants" },
];

export function SandboxNotice() {
  return (
    <Alert kind="warning" live={false}>
      <p className="font-semibold">Démonstration&nbsp;: aucun argent n’est débité.</p>
      <p className="mt-1 text-sm">
        Utilisez une carte de test, avec une date à venir et n’importe quel CVC&nbsp;:
      </p>
      <ul className="mt-2 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
        {CARDS.map(({ number, outcome }) => (
          <li key={number}>
            <span className="whitespace-nowrap font-mono">{number}</span>
            <br />
            <span>{outcome}</span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
