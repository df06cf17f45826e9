import { sealerFor } from "@/lib/seal";

/** For the data of a confidential mail, in JSON, while it waits in the outbox. */
export const mailSealer = sealerFor({ purpose: "mail-outbox" });

/** For the e-mail address of somebody who may have to be written to after the account is deleted. */
export const recipientSealer = sealerFor({ purpose: "mail-recipient" });
