import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/withdrawals");

export { AdminWithdrawalsScreen as default } from "@/components/backoffice/withdrawals";
