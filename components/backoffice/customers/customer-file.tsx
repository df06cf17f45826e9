"use client";

import { ChevronRight, FolderOpen } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { RowButton } from "@/components/backoffice/crud/cells";
import { Dialog } from "@/components/backoffice/forms/dialog";
import { fullName, type UserRef } from "@/components/backoffice/shared/option-sources";

/** The lists of objects that belong to users. */
const LISTS = [
  { path: "orders", label: "Commandes" },
  { path: "invoices", label: "Factures" },
  { path: "credit-notes", label: "Avoirs" },
  { path: "withdrawals", label: "Rétractations" },
  { path: "cart", label: "Panier" },
  { path: "addresses", label: "Adresses" },
  { path: "reviews", label: "Avis" },
] as const;

/** Opens links to all lists of a user's objects. */
export function CustomerFile({ user }: { user: UserRef }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RowButton label="Dossier client" Icon={FolderOpen} onClick={() => setIsOpen(true)} />
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={`Dossier de ${fullName(user)}`}>
        <ul className="divide-y divide-line overflow-y-auto px-3 py-2">
          {LISTS.map(({ path, label }) => (
            <li key={path}>
              <Link
                href={`/backoffice/${path}?user=${user.id}`}
                prefetch={false}
                className="flex min-h-11 items-center justify-between gap-4 rounded-md px-3 hover:bg-surface"
              >
                <span>{label}</span>
                <ChevronRight size={18} aria-hidden="true" className="text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
