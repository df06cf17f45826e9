import { z } from "zod";

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  $ref?: string;
  /** The collection whose items a field refers to (`users`). */
  "x-relation"?: string;
}

const cache = new WeakMap<z.ZodType, JsonSchema>();

/** The schema of a request or a response: of the input side in both cases. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const cached = cache.get(schema);
  if (cached) return cached;
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const node = jsonSchema as Record<string, unknown>;
      // Zod takes a field that is transformed for optional, though it may refuse what is not sent.
      if (zodSchema instanceof z.ZodObject) {
        const required = new Set(jsonSchema.required);
        for (const [name, field] of Object.entries(zodSchema.shape))
          if (!z.safeParse(field, undefined).success) required.add(name);
        if (required.size > 0) node.required = [...required];
      }
      // Zod's bounds of exact integers say nothing to a reader.
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // Where a field's metadata states its type, Zod's alternatives would contradict it.
      if (node.type !== undefined) delete node.anyOf;
      // The shop's own metadata: one is for Hydra's search only, the other is an OpenAPI extension.
      delete node.property;
      if (node.relation !== undefined) {
        node["x-relation"] = node.relation;
        delete node.relation;
      }
    },
  });
  cache.set(schema, json as JsonSchema);
  return json as JsonSchema;
}

/** The schema without the alternative "or nothing". */
export function withoutNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) {
    const rest = schema.anyOf.filter(({ type }) => type !== "null");
    const [only] = rest;
    return rest.length === 1 && only ? only : { ...schema, anyOf: rest };
  }
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  return schema;
}

/** An object that matches one of several schemas: what they all require is required, the rest optional. */
export function oneOfObjects(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  if (schemas.length <= 1) return first;
  const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].map((name) => {
    const forms = schemas.flatMap(({ properties = {} }) => properties[name] ?? []);
    const [form = {}, ...others] = new Map(
      forms.map((each) => [JSON.stringify(each), each]),
    ).values();
    return [name, others.length === 0 ? form : { anyOf: [form, ...others] }];
  });
  return {
    ...first,
    properties: Object.fromEntries(properties),
    required: [...names].filter((name) =>
      schemas.every(({ required }) => required?.includes(name)),
    ),
  };
}
