import { AdminWithdrawalsScreen } from "@/components/backoffice/withdrawals";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Rétractations",
    description: "Les rétractations des clients\u00a0: délais, remboursement, refus.",
    keywords: ["rétractations", "remboursement", "back office"],
    path: "/backoffice/withdrawals",
    index: false,
  });

export default function Page() {
  return <AdminWithdrawalsScreen />;
}
