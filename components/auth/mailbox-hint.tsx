import { Alert } from "@/components/ui/alert";

/** The demonstration sends no mails: says where they can be read. */
export function MailboxHint() {
  return (
    <Alert kind="info" live={false}>
      Boutique de démonstration&nbsp;: les messages envoyés se lisent dans{" "}
      {/* No client-side navigation: its document has its own policy (docs/decisions/030). */}
      <a href="/mailbox" className="link">
        la boîte aux lettres
      </a>
      .
    </Alert>
  );
}
