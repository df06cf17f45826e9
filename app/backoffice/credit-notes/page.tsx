import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/credit-notes");

export { BackofficeCreditNotesScreen as default } from "@/components/backoffice/invoices/credit-notes-screen";
