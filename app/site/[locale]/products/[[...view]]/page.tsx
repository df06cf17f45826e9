import { notFound } from "next/navigation";
import { CataloguePage } from "@/components/catalogue/catalogue-page";
import { parseView } from "@/lib/catalogue/queries";
import { parametersOfPath } from "@/lib/catalogue/view-path";
import { acquireRendering } from "@/lib/http/server/renderings";
import { catalogueMetadata } from "@/lib/seo/metadata";

export const generateStaticParams = () => [];

type Props = { params: Promise<{ view?: string[] }> };

/** `/products` and its filtered views: middleware.ts moves their query into the path. */
async function readView({ params }: Props) {
  const view = parseView(parametersOfPath((await params).view ?? []));
  if (!view) notFound();
  await acquireRendering("page");
  return view;
}

export async function generateMetadata(props: Props) {
  return catalogueMetadata(await readView(props));
}

export default async function Page(props: Props) {
  return <CataloguePage view={await readView(props)} />;
}
