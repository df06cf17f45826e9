import { AdminShippingScreen } from "@/components/backoffice/shipping";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des modes de livraison",
    description: "Les modes de livraison\u00a0: prix, délais, tranches de poids.",
    keywords: ["livraison", "back office"],
    path: "/backoffice/shipping",
    index: false,
  });

export default function Page() {
  return <AdminShippingScreen />;
}
