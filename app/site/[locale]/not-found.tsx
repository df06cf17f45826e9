import { NotFoundMessage } from "@/components/layout/not-found-message";
import { notFoundMetadata } from "@/lib/seo/metadata";

export const metadata = notFoundMetadata();

export default NotFoundMessage;
