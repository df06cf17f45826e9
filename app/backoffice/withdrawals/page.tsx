import { AdminWithdrawalsScreen } from "@/components/backoffice/withdrawals";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/withdrawals");

export default function Page() {
  return <AdminWithdrawalsScreen />;
}
