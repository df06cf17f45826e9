import clsx from "clsx";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

/** Says what could not be loaded, and offers to try again. */
export function RetryAlert({
  message,
  onRetry,
  className,
}: {
  message: string;
  onRetry: () => unknown;
  className?: string;
}) {
  return (
    <div className={clsx("flex flex-col items-start gap-4", className)}>
      <Alert kind="error" messages={[message]} />
      <Button variant="secondary" onClick={() => onRetry()}>
        Réessayer
      </Button>
    </div>
  );
}
