import { env, isDemo, siteUrl } from "@/lib/env";
import { getStoredMail, listStoredMails, type StoredMail } from "@/lib/mail/files";

/** Mails on the page; older ones stay on disk. */
const SHOWN = 100;

/** Does the shop show the mails that it sends? Only the demonstration does, without a mail provider. */
export function hasMailbox(): boolean {
  return isDemo() && !env().RESEND_API_KEY;
}

/** The demonstration's mails, newest first. */
export function listMails(): Promise<StoredMail[]> {
  return listStoredMails({ folder: env().MAIL_DIR, limit: SHOWN });
}

/** One of these mails by its name; null if there is none. */
export function getMail(name: string): Promise<StoredMail | null> {
  return getStoredMail({ folder: env().MAIL_DIR, name });
}

/** The URLs that a mail links to, each once, in the order of the mail. */
export function listLinks(html: string): string[] {
  const links = [...html.matchAll(/<a\s[^>]*?href="(https?:[^"]+)"/g)].map(([, url = ""]) =>
    url.replaceAll("&amp;", "&"),
  );
  return [...new Set(links)];
}

/**
 * A mail's HTML as a document for an iframe. Whatever it contains, it runs nothing, and loads nothing but the
 * shop's own pictures.
 */
export function framedHtml(html: string): string {
  const head = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: ${siteUrl()}/_next/image"><base target="_blank">`;
  return /<head[^>]*>/i.test(html)
    ? html.replace(/<head[^>]*>/i, (tag) => tag + head)
    : `<head>${head}</head>${html}`;
}
