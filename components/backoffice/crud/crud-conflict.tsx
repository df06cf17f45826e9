import { Button } from "@/components/ui/button";
import type { differencesOf } from "@/lib/backoffice/rules";

interface CrudConflictProps {
  differences: ReturnType<typeof differencesOf>;
  onKeep: () => void;
  onTake: () => void;
}

/** Shows both versions after somebody else has saved the same object, to choose one. */
export function CrudConflict({ differences, onKeep, onTake }: CrudConflictProps) {
  return (
    <section
      aria-label="Comparer les deux versions"
      className="flex flex-col gap-4 rounded-md border border-warning bg-warning-soft p-4"
    >
      {differences.length === 0 ? (
        <p>Les deux versions disent la même chose.</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full text-left text-sm">
            <thead>
              <tr>
                {["Champ", "Votre version", "Version enregistrée"].map((heading) => (
                  <th key={heading} scope="col" className="py-1 pr-4 font-medium">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, label, mine, theirs }) => (
                <tr key={field} className="border-warning/30 border-t align-top">
                  <th scope="row" className="py-1.5 pr-4 font-normal">
                    {label}
                  </th>
                  <td className="py-1.5 pr-4 [overflow-wrap:anywhere]">{mine}</td>
                  <td className="py-1.5 [overflow-wrap:anywhere]">{theirs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Garder ma version
        </Button>
        <Button variant="secondary" size="sm" onClick={onTake}>
          Reprendre la version enregistrée
        </Button>
      </div>
    </section>
  );
}
