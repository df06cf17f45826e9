import { sealText, unsealText } from "@/lib/seal";

const PURPOSE = "mail-outbox";

/** Encrypts the data of a confidential mail for the time it waits in the outbox. */
export function seal(data: unknown): string {
  return sealText({ text: JSON.stringify(data), purpose: PURPOSE });
}

/** Throws for what was not sealed with this shop's secret. */
export function unseal(text: string): unknown {
  return JSON.parse(unsealText({ sealed: text, purpose: PURPOSE }));
}

const RECIPIENT = "mail-recipient";

/** Encrypts the address of somebody who will have to be written to, even if the account goes. */
export function sealRecipient(email: string): string {
  return sealText({ text: email, purpose: RECIPIENT });
}

/** Throws for what was not sealed with this shop's secret. */
export function openRecipient(sealed: string): string {
  return unsealText({ sealed, purpose: RECIPIENT });
}
