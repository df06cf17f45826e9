import { Alert } from "@/components/ui/alert";

/** Says that the fields contain a draft, written before the session ended. */
export function DraftNotice({ isRestored }: { isRestored: boolean }) {
  if (!isRestored) return null;
  return (
    <Alert kind="info">
      Nous avons gardé ce que vous aviez saisi avant la fin de votre session.
    </Alert>
  );
}
