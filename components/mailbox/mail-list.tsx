import Link from "next/link";
import { AutoRefresh } from "@/components/mailbox/auto-refresh";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDateTime } from "@/lib/dates";
import type { StoredMail } from "@/lib/mail/files";

export function MailList({ mails }: { mails: readonly StoredMail[] }) {
  return (
    <>
      <AutoRefresh />
      <h1 className="text-title">Boîte aux lettres de démonstration</h1>
      <p className="mt-3 max-w-prose text-muted">
        Aucun e-mail ne quitte cette boutique&nbsp;: tous ceux qu’elle envoie, à ses clients comme à
        elle-même, arrivent ici. La page s’actualise toute seule.
      </p>
      {mails.length === 0 ? (
        <EmptyState className="mt-8" title="Aucun e-mail pour le moment." />
      ) : (
        <ul className="mt-8 divide-y divide-line rounded-lg border border-line">
          {mails.map(({ name, to, subject, createdAt }) => (
            <li key={name}>
              <Link
                href={`/mailbox/${name}`}
                prefetch={false}
                className="grid gap-x-6 gap-y-0.5 px-4 py-3 hover:bg-surface sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]"
              >
                <span className="truncate text-muted">{to}</span>
                <span className="truncate font-medium">{subject}</span>
                <time dateTime={createdAt} className="text-muted text-sm sm:text-right">
                  {formatDateTime(createdAt)}
                </time>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
