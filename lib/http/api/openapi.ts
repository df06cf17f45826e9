import { type JsonSchema, jsonSchemaOf, oneOfObjects } from "@/lib/http/api/json-schema";
import { ERROR_SCHEMAS, problemResponse } from "@/lib/http/api/openapi-errors";
import { operationOf } from "@/lib/http/api/openapi-operation";
import { type OpenApi, ref } from "@/lib/http/api/openapi-types";
import { type ApiIndex, listOperations, listResources, viewsOf } from "@/lib/http/api/operations";
import { PROBLEM_TITLES } from "@/lib/http/api/problem";
import type { AnyResource } from "@/lib/http/api/resource";
import { SHOP_NAME } from "@/lib/shop-name";

const DESCRIPTION = `L'API de la boutique ${SHOP_NAME}.

Les réponses sont en JSON-LD avec Hydra (\`application/ld+json\`), ou en JSON simple pour qui le demande (\`Accept: application/json\`). Les refus sont toujours du JSON (\`application/problem+json\`), en français. Les appels protégés attendent le jeton donné par \`POST /api/login_check\` : \`Authorization: Bearer …\`.`;

const made = new WeakMap<ApiIndex, OpenApi>();

/** `GET /api/docs.json`: the OpenAPI 3.1 document, made from the routes' own declarations. */
export function openApi(index: ApiIndex): OpenApi {
  const api = made.get(index) ?? buildOpenApi(index);
  made.set(index, api);
  return api;
}

function buildOpenApi(index: ApiIndex): OpenApi {
  const operations = listOperations(index);
  const resources = listResources(operations);
  const views = new Map(
    [...resources.values()].map((resource) => [resource, viewsOf(resource, operations)]),
  );
  // A resource that is a part of another one of the same name has no schema of its own.
  const documented = new Set([...views.values()].flat());
  const schemas: Record<string, JsonSchema> = {};
  for (const [resource, forms] of views) {
    const plain = forms.map((form) => withReferences({ resource: form, suffix: "", documented }));
    const ld = forms.map((form) => jsonLd(form, documented));
    schemas[resource.name] = described(oneOfObjects(plain), resource);
    schemas[`${resource.name}.jsonld`] = described(oneOfObjects(ld), resource);
  }
  const paths: OpenApi["paths"] = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    const path = paths[operation.path];
    if (path) path[operation.verb.toLowerCase()] = operationOf(operation);
  }
  return {
    openapi: "3.1.0",
    info: { title: SHOP_NAME, version: "1.0.0", description: DESCRIPTION },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas, ...ERROR_SCHEMAS },
      responses: Object.fromEntries(
        Object.entries(PROBLEM_TITLES).map(([status, title]) => [
          `Refusal${status}`,
          problemResponse(Number(status), title),
        ]),
      ),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "Le jeton de la session, donné par POST /api/login_check",
        },
        scheduler: {
          type: "http",
          scheme: "bearer",
          description: "Le secret du planificateur (CRON_SECRET)",
        },
      },
    },
  };
}

function described(schema: JsonSchema, { description }: AnyResource): JsonSchema {
  return { ...schema, description };
}

interface Referring {
  suffix: "" | ".jsonld";
  /** The resources that the schemas under their names are made of. */
  documented: ReadonlySet<AnyResource>;
}

/**
 * The JSON schema of a resource in which embedded items refer to their own schema wherever they
 * are complete.
 */
function withReferences({ resource, ...how }: Referring & { resource: AnyResource }): JsonSchema {
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

function jsonLd(resource: AnyResource, documented: Referring["documented"]): JsonSchema {
  const schema = withReferences({ resource, suffix: ".jsonld", documented });
  return {
    ...schema,
    properties: {
      "@context": { type: "string", description: "À la racine de la réponse seulement" },
      ...idAndType(resource),
      ...schema.properties,
    },
  };
}

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
