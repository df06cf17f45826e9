import { type Html, html, htmlDocument, NO_INDEX } from "@/lib/http/html";
import { SHOP_NAME } from "@/lib/shop/shop-name";
import { formatAmount } from "@/sandbox/cards/amounts";
import type { Reply } from "@/sandbox/cards/http";
import type { Summary } from "@/sandbox/cards/summary";
import { TEST_CARDS } from "@/sandbox/cards/test-cards";

const SHOWN_PAYMENTS = 20;

const STATUSES: Readonly<Record<string, string>> = {
  requires_payment_method: "en attente d'une carte",
  requires_action: "en attente d'authentification",
  succeeded: "payé",
  canceled: "annulé",
};

const dateFormat = new Intl.DateTimeFormat("fr-FR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "Europe/Paris",
});

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2937; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.note { background: #fef3c7; border: 1px solid #d97706; border-radius: .5rem; padding: .75rem 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #e5e7eb; vertical-align: top; }
td:first-child { white-space: nowrap; }
`;

const groupDigits = (number: string) => number.replace(/(\d{4})(?=\d)/g, "$1 ");

function paymentRow(payment: Summary["payments"][number]): Html {
  const refunded = payment.refunded > 0 ? `, remboursé ${formatAmount(payment.refunded)}` : "";
  const disputed = payment.disputed > 0 ? `, contesté ${formatAmount(payment.disputed)}` : "";
  const status = `${STATUSES[payment.status] ?? payment.status}${refunded}${disputed}`;
  const cells = [
    dateFormat.format(payment.created * 1000),
    formatAmount(payment.amount),
    payment.error ? `${status} (${payment.error})` : status,
    payment.last4 ? `••••\u00a0${payment.last4}` : "",
    payment.id,
  ];
  return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** A table in a scrollable box for narrow screens. */
function table(label: string, headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** The page of `GET /`, with the test cards and the last payments. */
export function renderSandboxPage(summary: Summary): Reply {
  const cards = TEST_CARDS.map(
    ({ number, label, alias }) =>
      html`<tr><td><code>${groupDigits(number)}</code></td><td>${label}</td><td><code>${alias}</code></td></tr>`,
  );
  const { taken, refunded } = summary.totals;
  const payments = summary.payments.slice(0, SHOWN_PAYMENTS).map(paymentRow);
  const body = html`<h1>Bac à sable de cartes</h1>
<p class="note">Ceci est une démonstration\u00a0: ce serveur joue le prestataire de paiement de la boutique. Aucun argent ne circule, aucune vraie carte n'est acceptée.</p>
<h2>Cartes de test</h2>
<p>Avec n'importe quelle date à venir et n'importe quel code de sécurité (trois chiffres, quatre pour American Express).</p>
${table("Cartes de test", ["Numéro", "Ce qui se passe", "Moyen de paiement"], cards)}
<h2>Derniers paiements</h2>
${
  payments.length === 0
    ? html`<p>Aucun paiement pour le moment.</p>`
    : html`<p>Encaissé\u00a0: <strong>${formatAmount(taken)}</strong>, remboursé\u00a0: <strong>${formatAmount(refunded)}</strong>.</p>
${table("Derniers paiements", ["Date", "Montant", "État", "Carte", "Identifiant"], payments)}`
}`;
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
    body: htmlDocument({
      title: `Bac à sable de cartes - ${SHOP_NAME}`,
      head: NO_INDEX,
      style: STYLE,
      body,
    }),
  };
}
