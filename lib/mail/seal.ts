import { resealText, sealText, unsealText } from "@/lib/seal";

const PURPOSE = "mail-outbox";

/** Encrypts the data of a confidential mail for the time it waits in the outbox. */
export function seal(data: unknown): string {
  return sealText({ text: JSON.stringify(data), purpose: PURPOSE });
}

/** Throws for what was not sealed with this shop's secret. */
export function unseal(text: string): unknown {
  return JSON.parse(unsealText({ sealed: text, purpose: PURPOSE }));
}

/** The same data sealed with the present secret; null where it already is. Throws as `unseal`. */
export function reseal(sealed: string): string | null {
  return resealText({ sealed, purpose: PURPOSE });
}

const RECIPIENT = "mail-recipient";

/** Encrypts the e-mail address of somebody who may have to be written to after the account is deleted. */
export function sealRecipient(email: string): string {
  return sealText({ text: email, purpose: RECIPIENT });
}

/** Throws for what was not sealed with this shop's secret. */
export function unsealRecipient(sealed: string): string {
  return unsealText({ sealed, purpose: RECIPIENT });
}

/** As `reseal`, for a recipient. */
export function resealRecipient(sealed: string): string | null {
  return resealText({ sealed, purpose: RECIPIENT });
}
