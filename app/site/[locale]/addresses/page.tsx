import { AddressesPage } from "@/components/addresses/addresses-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  privateMetadata({ title: "Mes adresses", path: "/addresses" });

export default function Page() {
  return <AddressesPage />;
}
