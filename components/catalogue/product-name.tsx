import Link from "next/link";

/** The name of what lies in a cart or was bought; it leads to the product as long as there is one. */
export function ProductName({
  id,
  name,
  search = "",
}: {
  id: number | null;
  name: string;
  /** Of the address: `?category=3`. */
  search?: string;
}) {
  if (id === null) return name;
  return (
    <Link
      href={`/product/${id}${search}`}
      prefetch={false}
      className="underline-offset-4 hover:underline"
    >
      {name}
    </Link>
  );
}
