import { notFound } from "next/navigation";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => notFoundMetadata();

/** Where next.config.ts leads every address that nothing else answers. */
export default function Page() {
  notFound();
}
