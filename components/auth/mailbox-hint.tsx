import { Alert } from "@/components/ui/alert";

const LOCAL_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Says where the demonstration's mails can be read, since it sends none. Only for browsers on its machine,
 * which alone may read them (lib/mailbox/access.ts), and only after the visitor has sent something.
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
