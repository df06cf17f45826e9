import { notFound } from "next/navigation";
import { CataloguePage } from "@/components/catalogue/catalogue-page";
import { parseView } from "@/lib/catalogue/queries";
import { acquireRendering } from "@/lib/http/server/renderings";
import { catalogueMetadata } from "@/lib/seo/metadata";

export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Text searches; on hosts that do not rewrite views to a cached page, any view: lib/catalogue/url.ts. */
async function readView({ searchParams }: Props) {
  const view = parseView(await searchParams);
  if (!view) notFound();
  await acquireRendering(view.search ? "search" : "page");
  return view;
}

export async function generateMetadata(props: Props) {
  return catalogueMetadata(await readView(props));
}

export default async function Page(props: Props) {
  return <CataloguePage view={await readView(props)} />;
}
