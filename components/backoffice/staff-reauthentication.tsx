"use client";

import type { ComponentProps } from "react";
import { Reauthentication } from "@/components/auth/reauthentication";
import { Dialog } from "./dialog";

/** Asks staff for their password or a code, even over an open form. */
export const StaffReauthentication = () => <Reauthentication Dialog={PaddedDialog} />;

function PaddedDialog({ children, ...props }: ComponentProps<typeof Dialog>) {
  return (
    <Dialog {...props}>
      <div className="overflow-y-auto px-6 py-5">{children}</div>
    </Dialog>
  );
}
