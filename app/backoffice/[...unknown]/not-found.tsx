import { ButtonLink } from "@/components/ui/button";

// Not next to the layout: otherwise the RSC payload of every screen would contain it.
export default function NotFound() {
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="font-semibold text-accent">Erreur 404</p>
      <h1 className="text-heading">Page introuvable</h1>
      <p className="text-muted">Le back office n’a pas de page à cette adresse.</p>
      <ButtonLink href="/backoffice" prefetch={false}>
        Tableau de bord
      </ButtonLink>
    </div>
  );
}
