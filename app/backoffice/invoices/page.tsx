import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/invoices");

export { AdminInvoicesScreen as default } from "@/components/backoffice/invoices";
