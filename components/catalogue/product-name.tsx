import Link from "next/link";

/** The product's name in a cart or order; a link unless the product was deleted. */
export function ProductName({
  id,
  name,
  query = "",
}: {
  id: number | null;
  name: string;
  /** `?category=3` */
  query?: string;
}) {
  if (id === null) return <span>{name}</span>;
  return (
    <Link
      href={`/product/${id}${query}`}
      prefetch={false}
      className="underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}
