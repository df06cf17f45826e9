import { type JsonSchema, jsonSchemaOf, withoutNull } from "@/lib/http/api/json-schema";
import { bodySchemaOf, type Operation, resourceOf } from "@/lib/http/api/operations";
import type { AnyResource } from "@/lib/http/api/resource";

/** An object of JSON-LD. */
export type Node = Record<string, unknown>;

export interface Model {
  operations: Operation[];
  resources: Map<string, AnyResource>;
  /** Resources with a list, under their key in the entry point. */
  collections: { key: string; path: string; resource: AnyResource }[];
}

export type Property = ReturnType<typeof propertiesOf>[number];

/** What a resource's JSON holds, and what may be sent to the calls that answer with it. */
export function propertiesOf({ operations, resources }: Model, resource: AnyResource) {
  const read = jsonSchemaOf(resource.schema).properties ?? {};
  const written: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const operation of operations) {
    if (resourceOf(operation)?.name !== resource.name) continue;
    const body = bodySchemaOf(operation);
    if (!body) continue;
    const schema = jsonSchemaOf(body);
    Object.assign(written, schema.properties);
    if (operation.verb === "POST") for (const name of schema.required ?? []) required.add(name);
  }
  const embedded = resource.embedded();
  const byPath = new Map([...resources.values()].map((target) => [target.path, target]));
  // What is read comes first, and describes what is both read and written.
  return Object.entries({ ...read, ...written, ...read }).map(([name, schema]) => {
    const relation = relationOf(schema) ?? relationOf(written[name] ?? {});
    const embeddedTarget = embedded[name];
    const target =
      embeddedTarget ?? (relation ? byPath.get(`/api/${relation}`) : undefined) ?? null;
    return {
      name,
      description: schema.description ?? "",
      schema,
      readable: name in read,
      writable: name in written,
      required: required.has(name),
      /** The class of the items that it refers to or holds. */
      target,
      /** Refers by IRI, rather than holding the items themselves. */
      isLink: target !== null && embeddedTarget === undefined,
    };
  });
}

function relationOf(schema: JsonSchema): string | undefined {
  const plain = withoutNull(schema);
  return schema["x-relation"] ?? plain["x-relation"] ?? plain.items?.["x-relation"];
}
