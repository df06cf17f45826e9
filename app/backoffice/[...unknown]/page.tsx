import { notFound } from "next/navigation";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const metadata = notFoundMetadata();

/** Every address of the back office that is no screen: it keeps the menu, unlike global-not-found.tsx. */
export default function Page() {
  notFound();
}
