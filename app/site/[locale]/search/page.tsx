import { notFound } from "next/navigation";
import { CataloguePage } from "@/components/catalogue/catalogue-page";
import { parseView } from "@/lib/catalogue/queries";
import { catalogueMetadata } from "@/lib/seo/metadata";

export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** `/products?search=…`: the one public page that is rendered for every request. */
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
