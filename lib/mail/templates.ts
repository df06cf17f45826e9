import type { z } from "zod";
import type { MailTemplate } from "@/lib/mail/template";
import { accountDeactivated, accountErased } from "@/lib/mail/templates/account-closed";
import { contact } from "@/lib/mail/templates/contact";
import { creditNoteMail } from "@/lib/mail/templates/credit-note";
import { emailChange } from "@/lib/mail/templates/email-change";
import { orderConfirmation } from "@/lib/mail/templates/order-confirmation";
import { passwordReset } from "@/lib/mail/templates/password-reset";
import { paymentRefunded } from "@/lib/mail/templates/payment-refunded";
import { securityNotice } from "@/lib/mail/templates/security-notice";
import { shipment } from "@/lib/mail/templates/shipment";
import { stockAlert, stockAlertConfirmation } from "@/lib/mail/templates/stock-alert";
import { verification } from "@/lib/mail/templates/verification";
import {
  withdrawalNotice,
  withdrawalReceipt,
  withdrawalRefusal,
} from "@/lib/mail/templates/withdrawal";

/**
 * All mail templates, by their name in the outbox. Remove a template only once no pending row uses it.
 */
export const templates = {
  "account-deactivated": accountDeactivated,
  "account-erased": accountErased,
  contact,
  "credit-note": creditNoteMail,
  "email-change": emailChange,
  "order-confirmation": orderConfirmation,
  "password-reset": passwordReset,
  "payment-refunded": paymentRefunded,
  "security-notice": securityNotice,
  shipment,
  "stock-alert": stockAlert,
  "stock-alert-confirmation": stockAlertConfirmation,
  verification,
  "withdrawal-notice": withdrawalNotice,
  "withdrawal-receipt": withdrawalReceipt,
  "withdrawal-refusal": withdrawalRefusal,
};

export type TemplateName = keyof typeof templates;

/** The input data of a template. */
export type TemplateData<N extends TemplateName> = z.input<(typeof templates)[N]["data"]>;

/** The template of a stored name; undefined for a name that this release does not know. */
export function getTemplate(name: string): MailTemplate<z.ZodType> | undefined {
  return Object.hasOwn(templates, name)
    ? (templates[name as TemplateName] as unknown as MailTemplate<z.ZodType>)
    : undefined;
}

/** The templates whose recipients' accounts were erased. */
export const templatesToErased = Object.keys(templates).filter(
  (name) => getTemplate(name)?.isRecipientErased,
);
