import clsx from "clsx";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import type { DashboardJson } from "@/lib/dashboard/client";
import { MAX_WAITING } from "@/lib/dashboard/rules";
import { daysUntil } from "@/lib/dates";
import { formatNumber } from "@/lib/numbers";
import { dueText } from "@/lib/withdrawals/rules";

type Waiting = DashboardJson["waiting"];

/** The tasks that are counted, each with the list that shows it. */
const TASKS: readonly { name: Exclude<keyof Waiting, "refundBy">; label: string; href: string }[] =
  [
    { name: "toPrepare", label: "À préparer", href: "/backoffice/orders?todo=prepare" },
    { name: "toShip", label: "À expédier", href: "/backoffice/orders?todo=ship" },
    {
      name: "withdrawals",
      label: "Rétractations à régler",
      href: "/backoffice/withdrawals?state=received&order[refundBy]=asc",
    },
    {
      name: "failedRefunds",
      label: "Remboursements échoués",
      href: "/backoffice/orders?todo=refund",
    },
    { name: "disputes", label: "Paiements contestés", href: "/backoffice/orders?todo=dispute" },
    { name: "lowStock", label: "Stock bas", href: "/backoffice/products?stockState=low" },
    { name: "soldOut", label: "Épuisés", href: "/backoffice/products?stockState=sold_out" },
    { name: "withoutWeight", label: "Sans poids", href: "/backoffice/products?withoutWeight=true" },
  ];

const textOf = (count: number) =>
  count > MAX_WAITING ? `Plus de ${formatNumber(MAX_WAITING)}` : formatNumber(count);

/** The tasks that wait for admins, each with its list. */
export function DashboardWaiting({ waiting }: { waiting: Waiting }) {
  return (
    <section aria-label="À faire" className="flex flex-col gap-3">
      <h2 className="font-medium text-muted text-sm">À faire</h2>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
        {TASKS.map(({ name, label, href }) => (
          <li key={name}>
            <Link
              href={href}
              prefetch={false}
              className={clsx(
                "flex h-full flex-col gap-1 rounded-lg border border-line p-4 hover:bg-surface",
                waiting[name] === 0 && "text-muted",
              )}
            >
              <span className="font-semibold text-xl tabular-nums md:text-2xl">
                {textOf(waiting[name])}
              </span>{" "}
              <span className="text-muted text-sm">{label}</span>
              {name === "withdrawals" && <DaysLeft refundBy={waiting.refundBy} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The days left for the most urgent withdrawal. */
function DaysLeft({ refundBy }: { refundBy: string | null }) {
  if (refundBy === null) return null;
  const days = daysUntil(new Date(refundBy));
  return (
    <span>
      {" "}
      <Badge tone={days < 0 ? "danger" : "warning"} className="w-fit">
        {dueText(days)}
      </Badge>
    </span>
  );
}
