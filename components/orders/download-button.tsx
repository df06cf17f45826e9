import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { DownloadIcon } from "@/components/ui/icons";

export function DownloadButton({ children, ...props }: ComponentProps<typeof Button>) {
  return (
    <Button variant="ghost" size="sm" {...props}>
      {!props.busy && <DownloadIcon size={18} />}
      <span>{children}</span>
    </Button>
  );
}
