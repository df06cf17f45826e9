import { Alert } from "@/components/ui/alert";

/** In the demonstration mails leave for nowhere: says where they can be read. */
export function MailboxHint() {
  return (
    <Alert kind="info">
      Boutique de démonstration&nbsp;: les messages envoyés se lisent dans{" "}
      {/* Loaded as a whole: its document has a policy of its own (docs/decisions/030). */}
      <a href="/mailbox" className="link">
        la boîte aux lettres
      </a>
      .
    </Alert>
  );
}
