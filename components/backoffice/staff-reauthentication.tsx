"use client";

import type { ReactNode } from "react";
import { Reauthentication } from "@/components/auth/reauthentication";
import { Dialog } from "./dialog";

/** Asks staff for their password or a code, also over an open form. */
export const StaffReauthentication = () => <Reauthentication Dialog={PaddedDialog} />;

interface PaddedDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

function PaddedDialog({ children, ...props }: PaddedDialogProps) {
  return (
    <Dialog {...props}>
      <div className="overflow-y-auto px-6 py-5">{children}</div>
    </Dialog>
  );
}
