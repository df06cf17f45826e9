import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/withdrawals");

export { BackofficeWithdrawalsScreen as default } from "@/components/backoffice/withdrawals/withdrawals-screen";
