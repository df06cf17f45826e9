import { render, toPlainText } from "react-email";
import { siteUrl } from "@/lib/env";
import { type MailedSeller, MailFrame } from "@/lib/mail/frame";
import { getTemplate } from "@/lib/mail/templates";

/** Whether a row of the outbox is older than its template's lifetime. */
export function isExpired({ template, createdAt }: { template: string; createdAt: Date }): boolean {
  const { lifetime } = getTemplate(template) ?? {};
  return lifetime !== undefined && Date.now() - createdAt.getTime() > lifetime * 1000;
}

/**
 * Renders a row of the outbox.
 *
 * @param seller for the foot of the mail
 * @throws if the template is unknown or the data does not match its schema
 */
export async function renderMail({
  template: name,
  data: stored,
  seller,
}: {
  template: string;
  data: unknown;
  seller: MailedSeller;
}) {
  const template = getTemplate(name);
  if (!template) throw new Error(`Unknown mail template: ${name}`);
  const kept = template.data.parse(stored);
  const data = template.load ? await template.load(kept) : kept;
  const subject = singleLine(template.subject(data));
  const context = { siteUrl: siteUrl() };
  const html = await render(
    <MailFrame
      title={subject}
      preheader={singleLine(template.preheader(data))}
      siteUrl={context.siteUrl}
      seller={seller}
      isToShop={template.isToShop ?? false}
      isAboutOrder={template.isAboutOrder ?? false}
    >
      {template.body(data, context)}
    </MailFrame>,
  );
  return {
    subject,
    html,
    text: toPlainText(html, {
      selectors: [
        { selector: "h1", options: { uppercase: false } },
        // An item and its amount stay on one line.
        { selector: "td", format: "inline" },
      ],
    }),
    attachments: (await template.attachments?.(data)) ?? [],
  };
}

/** Removes line breaks, against header injection. */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
