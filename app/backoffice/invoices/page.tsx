import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/invoices");

export { BackofficeInvoicesScreen as default } from "@/components/backoffice/invoices/invoices-screen";
