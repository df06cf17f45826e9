/**
 * For `npm run bench` alone: a page that is cached exactly as the shop's are, with nothing on it.
 * What it costs is what this version of Next.js costs; the shop's pages are measured against it.
 */
export const revalidate = 300;
export const generateStaticParams = () => [];

export default function Page() {
  return <p>Rien</p>;
}
