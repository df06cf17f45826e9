import { type JsonSchema, jsonSchemaOf } from "@/lib/http/api/json-schema";
import { ref } from "@/lib/http/api/openapi-types";
import type { AnyResource } from "@/lib/http/api/resource";

interface Referring {
  suffix: "" | ".jsonld";
  /** The resources that the schemas under their names are made of. */
  documented: ReadonlySet<AnyResource>;
}

/**
 * The JSON schema of a resource in which embedded items refer to their own schema wherever they
 * are complete.
 */
export function withReferences(resource: AnyResource, how: Referring): JsonSchema {
  const schema = jsonSchemaOf(resource.schema);
  const properties = { ...schema.properties };
  for (const [field, target] of Object.entries(resource.embedded())) {
    const own = properties[field];
    if (own) properties[field] = referring(own, target, how);
  }
  return { ...schema, properties };
}

function referring(schema: JsonSchema, target: AnyResource, how: Referring): JsonSchema {
  if (schema.items) return { ...schema, items: referring(schema.items, target, how) };
  if (schema.anyOf)
    return { ...schema, anyOf: schema.anyOf.map((part) => referring(part, target, how)) };
  if (schema.type !== "object") return schema;
  const { description, ...shape } = schema;
  const complete =
    how.documented.has(target) &&
    JSON.stringify(shape) === JSON.stringify(jsonSchemaOf(target.schema));
  if (complete)
    return { ...ref(`${target.name}${how.suffix}`), ...(description && { description }) };
  return how.suffix === ""
    ? schema
    : { ...schema, properties: { ...idAndType(target), ...schema.properties } };
}

function idAndType({ path, name, subclasses }: AnyResource): Record<string, JsonSchema> {
  return {
    ...(path !== null && {
      "@id": { type: "string", format: "iri-reference", examples: [`${path}/7`] },
    }),
    "@type":
      subclasses.length > 0
        ? { type: "string", enum: [...subclasses] }
        : { type: "string", const: name },
  };
}

export function jsonLd(resource: AnyResource, documented: Referring["documented"]): JsonSchema {
  const schema = withReferences(resource, { suffix: ".jsonld", documented });
  return {
    ...schema,
    properties: {
      "@context": { type: "string", description: "À la racine de la réponse seulement" },
      ...idAndType(resource),
      ...schema.properties,
    },
  };
}

/** The schema `HydraCollection`: what all lists have in common. */
export const HYDRA_COLLECTION: JsonSchema = {
  type: "object",
  description: "Une liste, page par page",
  required: ["@context", "@id", "@type", "hydra:totalItems", "hydra:member"],
  properties: {
    "@context": { type: "string" },
    "@id": { type: "string", format: "iri-reference" },
    "@type": { type: "string", const: "hydra:Collection" },
    "hydra:totalItems": { type: "integer", minimum: 0, description: "Nombre d'éléments en tout" },
    "hydra:member": { type: "array", items: { type: "object" } },
    "hydra:view": {
      type: "object",
      description: "La page et ses voisines",
      properties: Object.fromEntries(
        ["@id", "@type", "hydra:first", "hydra:last", "hydra:previous", "hydra:next"].map(
          (name) => [name, { type: "string" }],
        ),
      ),
    },
    "hydra:search": { type: "object", description: "Les filtres, en gabarit d'adresse" },
  },
};

export function collectionSchema(resource: AnyResource): JsonSchema {
  return {
    allOf: [
      ref("HydraCollection"),
      {
        type: "object",
        properties: { "hydra:member": { type: "array", items: ref(`${resource.name}.jsonld`) } },
      },
    ],
  };
}
