"use client";

import type { ComponentProps } from "react";
import { Reauthentication } from "@/components/auth/reauthentication";
import { Dialog } from "@/components/backoffice/forms/dialog";

/** Asks admins for their password or a code, even over an open form. */
export const BackofficeReauthentication = () => <Reauthentication Dialog={PaddedDialog} />;

function PaddedDialog({ children, ...props }: ComponentProps<typeof Dialog>) {
  return (
    <Dialog {...props}>
      <div className="overflow-y-auto px-6 py-5">{children}</div>
    </Dialog>
  );
}
