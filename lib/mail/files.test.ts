import { statSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { fileTransport, getStoredMail, listStoredMails } from "@/lib/mail/files";
import type { OutgoingMail } from "@/lib/mail/transport";

const mail: OutgoingMail = {
  key: "mail-1-abc",
  createdAt: new Date("2026-11-20T10:00:00.123Z"),
  from: "Mini Ecommerce <contact@mini-ecommerce.test>",
  to: "client@mini-ecommerce.test",
  replyTo: null,
  subject: "Votre commande",
  html: "<p>Merci</p>",
  text: "Merci",
  attachments: [],
};

/** A folder that does not exist yet: the transport creates it. */
const newFolder = () => path.join(test.info().outputDir, "mails", "of", "this", "test");

test("a mail is one JSON file with the contract's keys", async () => {
  const folder = newFolder();
  await fileTransport({ folder }).send({
    ...mail,
    replyTo: "camille@exemple.fr",
    attachments: [
      { filename: "facture-7.pdf", contentType: "application/pdf", content: Buffer.from("%PDF") },
    ],
  });
  expect(await readdir(folder)).toEqual(["20261120T100000123Z-mail-1-abc.json"]);
  const file = path.join(folder, "20261120T100000123Z-mail-1-abc.json");
  const { key: _, ...kept } = mail;
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    ...kept,
    replyTo: "camille@exemple.fr",
    attachments: [
      { filename: "facture-7.pdf", contentType: "application/pdf", content: "JVBERg==" },
    ],
    createdAt: "2026-11-20T10:00:00.123Z",
  });
  // Only the shop's account may read mails, whose links open accounts.
  expect([folder, file].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
});

test("a mail that is delivered again is still one file", async () => {
  const folder = newFolder();
  const { send } = fileTransport({ folder });
  await Promise.all(Array.from({ length: 20 }, () => send(mail)));
  await send({ ...mail, key: "mail-2-def" });
  expect(await readdir(folder)).toHaveLength(2);
});

test("the newest mail is listed first, and other files are left out", async () => {
  const folder = newFolder();
  expect(await listStoredMails({ folder, limit: 10 })).toEqual([]);
  const { send } = fileTransport({ folder });
  for (const [index, hour] of ["11", "09", "10"].entries()) {
    const createdAt = new Date(`2026-11-20T${hour}:00:00Z`);
    await send({ ...mail, key: `mail-${index}-x`, createdAt, subject: hour });
  }
  await writeFile(path.join(folder, "99-broken.json"), "{");
  await writeFile(path.join(folder, "98-other.json"), '{"to": 3}');
  await writeFile(path.join(folder, "notes.txt"), "no mail");
  const listed = await listStoredMails({ folder, limit: 10 });
  expect(listed.map(({ subject }) => subject)).toEqual(["11", "10", "09"]);
  expect(await listStoredMails({ folder, limit: 2 })).toHaveLength(2);
  expect(await getStoredMail({ folder, name: String(listed[0]?.name) })).toEqual(listed[0]);
});

test("no name can read a file outside the folder", async () => {
  const folder = newFolder();
  await fileTransport({ folder }).send(mail);
  const inside = path.join(folder, "inner");
  await mkdir(inside);
  for (const name of ["../20261120T100000123Z-mail-1-abc", "..", "a/b", "a\0b", "", "unknown"])
    expect(await getStoredMail({ folder: inside, name }), name).toBeNull();
});
