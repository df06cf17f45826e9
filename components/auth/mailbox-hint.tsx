import { Alert } from "@/components/ui/alert";

const LOCAL_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Says where to read the demonstration's mails, since the demonstration sends none. Only for browsers on
 * the shop's own machine, which alone may read the mails (lib/mailbox/access.ts), and only after the
 * visitor has submitted a form.
 */
export function MailboxHint() {
  if (!LOCAL_HOST.test(window.location.hostname)) return null;
  return (
    <Alert kind="info" live={false}>
      Boutique de démonstration&nbsp;: les messages envoyés se lisent dans{" "}
      {/* Loaded as a document, without client-side navigation: it has its own policy (docs/decisions/030). */}
      <a href="/mailbox" className="link">
        la boîte aux lettres
      </a>
      .
    </Alert>
  );
}
