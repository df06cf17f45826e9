import Link from "next/link";
import type { ReactNode } from "react";
import { Tabs } from "@/components/ui/tabs";
import { formatDateTime } from "@/lib/dates";
import type { StoredMail } from "@/lib/mail/files";
import { framedHtml, listLinks } from "@/lib/mailbox/queries";

export function MailView({ mail }: { mail: StoredMail }) {
  const { subject, from, to, replyTo, createdAt, html, text, attachments } = mail;
  const links = listLinks(html);
  return (
    <article className="flex flex-col gap-6">
      <p>
        <Link href="/mailbox" prefetch={false} className="link">
          Tous les e-mails
        </Link>
      </p>
      <h1 className="text-title">{subject}</h1>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Header name="De">{from}</Header>
        <Header name="À">{to}</Header>
        {replyTo && <Header name="Répondre à">{replyTo}</Header>}
        <Header name="Date">
          <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        </Header>
        {attachments.map(({ filename, contentType, content }) => (
          <Header key={filename} name="Pièce jointe">
            <a href={`data:${contentType};base64,${content}`} download={filename} className="link">
              {filename}
            </a>
          </Header>
        ))}
      </dl>
      <Tabs
        label="Formes de l’e-mail"
        tabs={[
          {
            id: "html",
            label: "HTML",
            panel: (
              <iframe
                title="Contenu de l’e-mail"
                srcDoc={framedHtml(html)}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                className="h-160 w-full rounded-lg border border-line"
              />
            ),
          },
          {
            id: "text",
            label: "Texte",
            panel: (
              <pre className="whitespace-pre-wrap rounded-lg border border-line p-4 text-sm">
                {text}
              </pre>
            ),
          },
        ]}
      />
      {links.length > 0 && (
        <section>
          <h2 className="font-semibold">Liens de cet e-mail</h2>
          <ul className="mt-2 flex flex-col gap-1">
            {links.map((link) => (
              <li key={link}>
                <a href={link} className="link break-all">
                  {link}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Header({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}
