import { renderMail } from "@/lib/mail/render";

// For tests.

/** The seller, whom the foot of every mail names. */
export const exampleSeller = {
  legalName: "Bols & Cie SARL",
  address: ["3 rue du Four", "30000 Nîmes"],
  siren: "123456782",
  phone: "04 65 71 01 23",
};

/** A mail of this seller. */
export const renderExample = (mail: { template: string; data: unknown }) =>
  renderMail({ ...mail, seller: exampleSeller });
