import { Check, Eye, type LucideProps } from "lucide-react";
import { type ComponentProps, type ComponentType, createContext, useContext } from "react";
import { Badge } from "@/components/ui/badge";
import { Chip } from "@/components/ui/chip";

// Cells shared by several tables.

/** The name of the row that a button stands in. */
export const RowName = createContext<string | undefined>(undefined);

const rowButton =
  "grid size-9 place-items-center rounded-md text-muted hover:bg-surface-strong hover:text-ink disabled:cursor-not-allowed";

interface RowButtonProps extends ComponentProps<"button"> {
  label: string;
  Icon: ComponentType<LucideProps>;
  /** False if the row does not have the button: its place stays empty. */
  shown?: boolean;
}

/** An icon button for an action on a row. */
export function RowButton({ label, Icon, shown = true, className, ...props }: RowButtonProps) {
  const rowName = useContext(RowName);
  if (!shown) return <NoButton />;
  return (
    <button
      type="button"
      aria-label={label}
      aria-description={rowName}
      title={label}
      {...props}
      className={`${rowButton} ${className ?? ""}`}
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  );
}

/** Keeps the place of a button that a row does not have, so that nobody clicks the button next to it. */
export const NoButton = () => <span aria-hidden="true" className="size-9 max-lg:hidden" />;

/** Opens a public page in a new tab. */
export function ViewLink({ href, label }: { href: string; label: string }) {
  const rowName = useContext(RowName);
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      aria-description={rowName}
      title={label}
      className={rowButton}
    >
      <Eye size={18} aria-hidden="true" />
    </a>
  );
}

/** A boolean; with `warns`, true is a bad sign. */
export function YesNo({ value, warns = false }: { value: boolean; warns?: boolean }) {
  if (value && warns) return <Badge tone="danger">Oui</Badge>;
  return value ? (
    <span className="inline-flex items-center gap-1 text-success">
      <Check size={14} aria-hidden="true" />
      Oui
    </span>
  ) : (
    <span className="text-muted">Non</span>
  );
}

/** Categories or tags. */
export function Chips({
  labels,
}: {
  labels: readonly { id: number; name: string; color: string }[];
}) {
  if (labels.length === 0) return "–";
  return (
    <span className="flex flex-wrap gap-1">
      {labels.map(({ id, name, color }) => (
        <Chip key={id} color={color}>
          {name}
        </Chip>
      ))}
    </span>
  );
}
