import { z } from "zod";

/** Embedded resources by field; a field that holds a list holds a list of them. */
type Embedded = Readonly<Record<string, AnyResource>>;

interface ResourceConfig<Row, S extends z.ZodObject> {
  /** The class, as in `/api/contexts/Product`. */
  name: string;
  /** The collection's path, `/api/products`; null for parts that have none. */
  path: string | null;
  /** French, for the documentation. */
  description: string;
  /** The plain JSON of one item, field by field with French descriptions. */
  schema: S;
  /** Row to plain JSON. Pure: pages and components use it as well. */
  toJson: (row: Row) => z.input<S>;
  /** The concrete class of an item, where there are subclasses; decided on its JSON. */
  typeOf?: (json: z.input<S>) => string;
  subclasses?: readonly string[];
  /** Fields whose values are items (or lists of items) of other resources. A thunk: they may refer to each other. */
  embedded?: () => Embedded;
}

export interface Resource<Row, S extends z.ZodObject = z.ZodObject>
  extends Readonly<Required<Omit<ResourceConfig<never, S>, "toJson" | "typeOf">>> {
  readonly kind: "item";
  toJson(row: Row): z.input<S>;
  /** The item's IRI. */
  iri(id: number): string;
  /** JSON-LD of a row, without `@context`. */
  toLd(row: Row): Record<string, unknown>;
  /** JSON-LD of what `toJson` gave. */
  ldOf(json: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Some resource, whatever its rows. */
export type AnyResource = Omit<Resource<never>, "schema"> & { readonly schema: z.ZodObject };

/** The plain JSON of a resource's items: `JsonOf<typeof productResource>`. */
export type JsonOf<R extends { schema: z.ZodType }> = z.input<R["schema"]>;

/** Defines how rows of one kind look in the API; the documentation is made from it, too. */
export function resource<Row, S extends z.ZodObject>(
  config: ResourceConfig<Row, S>,
): Resource<Row, S> {
  const { name, path, description, schema, toJson, typeOf, subclasses = [] } = config;
  const embedded = config.embedded ?? (() => ({}));
  let embeddedEntries: [string, AnyResource][] | undefined;

  function ldOf(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const ld: Record<string, unknown> = {};
    if (path !== null) ld["@id"] = `${path}/${json.id}`;
    ld["@type"] = typeOf ? typeOf(json as z.input<S>) : name;
    Object.assign(ld, json);
    embeddedEntries ??= Object.entries(embedded());
    for (const [field, target] of embeddedEntries) {
      const value = json[field];
      if (Array.isArray(value)) ld[field] = value.map((item) => target.ldOf(item));
      else if (typeof value === "object" && value !== null)
        ld[field] = target.ldOf(value as Record<string, unknown>);
    }
    return ld;
  }

  return {
    kind: "item",
    name,
    path,
    description,
    schema,
    subclasses,
    embedded,
    toJson,
    iri: (id) => `${path}/${id}`,
    toLd: (row) => ldOf(toJson(row) as Record<string, unknown>),
    ldOf,
  };
}

/** A field that holds the IRI of another item: `/api/users/3`. */
export function iriOf(path: string) {
  return z.string().meta({ format: "iri-reference", examples: [`/api/${path}/7`], relation: path });
}
