import Link from "next/link";
import type { ReactNode } from "react";

/** The layout of the demonstration's mailbox, which is not part of the shop and does not look like it. */
export function MailboxFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="border-line border-b bg-surface">
        <div className="page-column flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
          <p className="font-semibold">
            <Link href="/mailbox" prefetch={false} className="underline-offset-4 hover:underline">
              Boîte aux lettres de démonstration
            </Link>
          </p>
          <Link href="/" prefetch={false} className="link">
            Retour à la boutique
          </Link>
        </div>
      </header>
      <main className="page-column py-8">{children}</main>
    </>
  );
}
