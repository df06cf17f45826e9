import { AdminReviewsScreen } from "@/components/backoffice/reviews";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des avis",
    description: "Les avis des clients\u00a0: modération, ajout, modification, suppression.",
    keywords: ["avis", "modération", "back office"],
    path: "/backoffice/reviews",
    index: false,
  });

export default function Page() {
  return <AdminReviewsScreen />;
}
