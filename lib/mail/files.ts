import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { writeAtomically } from "@/lib/files/local-files";
import type { MailTransport } from "@/lib/mail/transport";

/** A mail in a file, used if no provider is configured. */
const storedMail = z.object({
  to: z.string(),
  from: z.string(),
  replyTo: z.string().nullish(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z
    .array(z.object({ filename: z.string(), contentType: z.string(), content: z.base64() }))
    .default([]),
  createdAt: z.iso.datetime({ offset: true }),
});

export type StoredMail = z.output<typeof storedMail> & {
  /** The file's name without ".json". */
  name: string;
};

const NAME = /^[\w-]{1,200}$/;

/**
 * Writes each mail as a JSON file. File names sort by the time of the request; a mail delivered again after
 * a crash overwrites its file.
 */
export function fileTransport({ folder }: { folder: string }): MailTransport {
  return {
    async send({ key, createdAt, from, to, replyTo, subject, text, html, attachments }) {
      const time = createdAt.toISOString().replace(/[-:.]/g, "");
      const name = `${time}-${key.replace(/\W+/g, "-")}`;
      const files = attachments.map(({ content, ...file }) => ({
        ...file,
        content: Buffer.from(content).toString("base64"),
      }));
      const stored = { to, from, replyTo, subject, text, html, attachments: files, createdAt };
      const json = JSON.stringify(stored, null, 2);
      // A mail's link may give access to an account: only the shop's system user may read the file.
      await writeAtomically(path.join(folder, `${name}.json`), json, { isPrivate: true });
    },
  };
}

/** The mails of the folder, newest first, at most `limit`. Other files are skipped. */
export async function listStoredMails({
  folder,
  limit,
}: {
  folder: string;
  limit: number;
}): Promise<StoredMail[]> {
  // The folder does not exist before the first mail.
  const names = (await readdir(folder).catch(() => []))
    .filter((entry) => entry.endsWith(".json"))
    .map((entry) => path.basename(entry, ".json"))
    .sort()
    .reverse();
  const mails: StoredMail[] = [];
  for (const name of names) {
    if (mails.length >= limit) break;
    const mail = await getStoredMail({ folder, name });
    if (mail) mails.push(mail);
  }
  return mails;
}

/** A mail by its file name; null if there is none. */
export async function getStoredMail({
  folder,
  name,
}: {
  folder: string;
  name: string;
}): Promise<StoredMail | null> {
  if (!NAME.test(name)) return null;
  try {
    const json: unknown = JSON.parse(await readFile(path.join(folder, `${name}.json`), "utf8"));
    return { ...storedMail.parse(json), name };
  } catch {
    return null;
  }
}
