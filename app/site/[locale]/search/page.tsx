import { notFound } from "next/navigation";
import { CataloguePage } from "@/components/catalogue/catalogue-page";
import { parseView } from "@/lib/catalogue/queries";
import { catalogueMetadata } from "@/lib/seo/metadata";

export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Views of the catalogue on hosts that do not rewrite them to a cached page: lib/catalogue/url.ts. */
async function readView({ searchParams }: Props) {
  const view = parseView(await searchParams);
  if (!view) notFound();
  return view;
}

export async function generateMetadata(props: Props) {
  return catalogueMetadata(await readView(props));
}

export default async function Page(props: Props) {
  return <CataloguePage view={await readView(props)} />;
}
