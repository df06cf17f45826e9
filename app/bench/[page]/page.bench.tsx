/**
 * For `npm run bench` alone: an empty page, cached like the shop's. Shows what Next.js itself costs,
 * to compare the shop's pages with.
 */
export const revalidate = 300;
export const generateStaticParams = () => [];

export default function Page() {
  return <p>Rien</p>;
}
