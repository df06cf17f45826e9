import Link from "next/link";
import { Alert } from "@/components/ui/alert";

/** In the demonstration mails leave for nowhere: says where they can be read. */
export function MailboxHint() {
  return (
    <Alert kind="info">
      Boutique de démonstration&nbsp;: les messages envoyés se lisent dans{" "}
      <Link href="/mailbox" prefetch={false} className="link">
        la boîte aux lettres
      </Link>
      .
    </Alert>
  );
}
