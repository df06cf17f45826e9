import { Button } from "@/components/ui/button";

/** Stripe's best known test cards, and their outcome in the sandbox. */
const ACCEPTED = "4242 4242 4242 4242";
const OTHERS = [
  { number: "4000 0025 0000 3155", outcome: "authentification demandée" },
  { number: "4000 0000 0000 0002", outcome: "carte refusée" },
  { number: "4000 0000 0000 9995", outcome: "fonds insuffisants" },
];

/** Says that no money moves, and fills the fields in with a test card. */
export function SandboxNotice({ onFill }: { onFill: (number: string) => void }) {
  return (
    <div className="flex flex-col gap-2 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning forced-colors:border">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-semibold">Démonstration&nbsp;: aucun argent n’est débité.</p>
        <Button variant="secondary" size="sm" onClick={() => onFill(ACCEPTED)}>
          <span>
            Remplir avec <span className="whitespace-nowrap font-mono">{ACCEPTED}</span>
          </span>
        </Button>
      </div>
      <p>Apple Pay et Google Pay ne sont pas proposés dans cette démonstration.</p>
      <details>
        <summary className="w-fit cursor-pointer py-1 underline underline-offset-2">
          Autres cartes de test
        </summary>
        <ul className="flex flex-col gap-1 pt-1">
          {OTHERS.map(({ number, outcome }) => (
            <li key={number} className="flex flex-wrap items-center gap-x-3">
              <button
                type="button"
                aria-label={`Remplir avec ${number}\u00a0: ${outcome}`}
                onClick={() => onFill(number)}
                className="min-h-8 whitespace-nowrap font-mono underline underline-offset-2"
              >
                {number}
              </button>
              <span>{outcome}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
