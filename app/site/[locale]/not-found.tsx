import { LazyNotFoundMessage } from "@/components/layout/lazy-not-found";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const metadata = notFoundMetadata();

export default LazyNotFoundMessage;
