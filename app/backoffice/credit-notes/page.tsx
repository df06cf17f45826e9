import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/credit-notes");

export { AdminCreditNotesScreen as default } from "@/components/backoffice/credit-notes";
