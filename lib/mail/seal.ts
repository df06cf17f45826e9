import { sealerFor } from "@/lib/seal";

/** Encrypts the data of confidential mails, as JSON, in the outbox. */
export const mailSealer = sealerFor({ purpose: "mail-outbox" });

/** Encrypts the e-mail addresses of people who may have to be notified after their account is deleted. */
export const recipientSealer = sealerFor({ purpose: "mail-recipient" });
