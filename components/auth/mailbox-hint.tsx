import { Alert } from "@/components/ui/alert";

const LOCAL_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * The demonstration sends no mails: says where they can be read, to browsers on its machine; others may
 * not (lib/mailbox/access.ts). Shown only after the visitor has sent something.
 */
export function MailboxHint() {
  if (!LOCAL_HOST.test(window.location.hostname)) return null;
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
