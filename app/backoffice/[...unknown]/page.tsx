import { notFound } from "next/navigation";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const metadata = notFoundMetadata();

/** Unknown addresses of the back office: this 404 page keeps the menu, unlike global-not-found.tsx. */
export default function Page() {
  notFound();
}
