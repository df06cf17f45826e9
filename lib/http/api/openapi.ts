import { REAUTHENTICATION_REQUIRED } from "@/lib/errors";
import type { Access } from "@/lib/http/api/access";
import { type JsonSchema, jsonSchemaOf, oneOfObjects } from "@/lib/http/api/json-schema";
import {
  type ApiIndex,
  listOperations,
  listResources,
  type Operation,
  refusalsOf,
  resourceOf,
  viewsOf,
} from "@/lib/http/api/operations";
import { PROBLEM_TITLES } from "@/lib/http/api/problem";
import type { AnyResource } from "@/lib/http/api/resource";
import { SHOP_NAME } from "@/lib/shop-name";

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description: string;
  schema: JsonSchema;
  style?: "form";
  explode?: boolean;
}

export interface Content {
  [contentType: string]: { schema: JsonSchema };
}

export interface ApiResponse {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Content;
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required: true; description?: string; content: Content };
  responses: Record<string, ApiResponse | { $ref: string }>;
  security: Record<string, string[]>[];
}

export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, ApiResponse>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}

const LD = "application/ld+json";
const JSON_TYPE = "application/json";
const PROBLEM = "application/problem+json";
const FORM = "application/x-www-form-urlencoded";
const HTML = "text/html";

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

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  user: [{ bearer: [] }],
  admin: [{ bearer: [] }],
  "pending-2fa": [{ bearer: [] }],
  cron: [{ scheduler: [] }],
};

function operationOf(operation: Operation): OpenApiOperation {
  const { path, verb, definition, group } = operation;
  const parameters = parametersOf(operation);
  const requestBody = requestBodyOf(operation);
  const needsAdmin = definition.access === "admin" ? "Réservé aux administrateurs." : "";
  const description = [definition.description ?? "", needsAdmin].filter(Boolean).join("\n\n");
  return {
    operationId: operationId(verb, path),
    tags: [group],
    summary: definition.summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...successOf(operation),
      ...Object.fromEntries(
        refusalsOf(operation).map((status) => [
          String(status),
          // A form is given back as a page, with what is wrong.
          definition.takesForms && (status === 422 || status === 429)
            ? orAsPage(problemResponse(status, PROBLEM_TITLES[status] ?? ""))
            : { $ref: `#/components/responses/Refusal${status}` },
        ]),
      ),
      default: { $ref: "#/components/responses/Refusal500" },
    },
    security: SECURITY[definition.access],
  };
}

/** `GET /api/products/{id}` is `getProductsById`. */
function operationId(verb: string, path: string): string {
  const words = path
    .replace(/^\/api\/?/, "")
    .replace(/\{(\w+)\}/g, "by $1")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return verb.toLowerCase() + (words.join("") || "Entrypoint");
}

function parametersOf({ definition: { params, query } }: Operation): Parameter[] {
  const parameters: Parameter[] = [];
  for (const [name, schema] of Object.entries(
    params ? (jsonSchemaOf(params).properties ?? {}) : {},
  ))
    parameters.push(parameter({ name, place: "path", schema, required: true }));
  const { properties = {}, required = [] } = query ? jsonSchemaOf(query) : {};
  for (const [name, schema] of Object.entries(properties)) {
    const isList = schema.type === "array";
    const entry = parameter({
      name: isList ? `${name}[]` : name,
      place: "query",
      schema,
      required: required.includes(name),
    });
    parameters.push(isList ? { ...entry, style: "form", explode: true } : entry);
  }
  return parameters;
}

function parameter({
  name,
  place,
  schema,
  required,
}: {
  name: string;
  place: "path" | "query";
  schema: JsonSchema;
  required: boolean;
}): Parameter {
  const { description = "", ...rest } = schema;
  return { name, in: place, required, description, schema: rest };
}

function requestBodyOf({
  definition: { body, takesForms },
}: Operation): OpenApiOperation["requestBody"] | null {
  if (!body) return null;
  if ("kind" in body) {
    const { contentType, description, schema } = body;
    return { required: true, description, content: { [contentType]: { schema } } };
  }
  const schema = jsonSchemaOf(body);
  return {
    required: true,
    content: {
      [JSON_TYPE]: { schema },
      [LD]: { schema },
      ...(takesForms && { [FORM]: { schema } }),
    },
  };
}

function successOf(operation: Operation): Record<string, ApiResponse> {
  const { verb, definition } = operation;
  const { reply } = definition;
  if (reply.kind === "empty")
    return { [reply.status]: { description: "Fait ; la réponse n'a pas de contenu" } };
  if (reply.kind === "file")
    return {
      [reply.status]: {
        description: reply.description,
        content: { [reply.contentType]: { schema: reply.schema ?? {} } },
      },
    };
  const status = String(reply.status({ method: verb }));
  if (reply.doc.kind === "json") {
    const schema = jsonSchemaOf(reply.doc.schema);
    const done = { description: "Fait", content: { [LD]: { schema }, [JSON_TYPE]: { schema } } };
    return {
      ...Object.fromEntries((reply.doc.statuses ?? [status]).map((each) => [each, done])),
      ...(definition.takesForms && THANK_YOU_REDIRECT),
    };
  }
  const resource = resourceOf(operation);
  if (!resource) return {};
  if (reply.doc.kind === "collection") {
    const { otherItems } = reply.doc;
    const list: JsonSchema = {
      type: "array",
      items: otherItems
        ? { anyOf: [ref(resource.name), jsonSchemaOf(otherItems)] }
        : ref(resource.name),
    };
    const ld = reply.doc.plainArray ? list : collectionSchema(resource);
    return {
      [status]: {
        description: `Liste : ${resource.description}`,
        ...(reply.doc.plainArray && { headers: TOTAL_HEADER }),
        content: {
          [LD]: { schema: ld },
          [JSON_TYPE]: { schema: list },
          ...(definition.hasCsv && { "text/csv": { schema: { type: "string" } } }),
        },
      },
    };
  }
  return {
    [status]: {
      description: resource.description,
      ...(status === "201" &&
        resource.path !== null && {
          headers: {
            Location: { description: "Adresse de l'élément", schema: { type: "string" } },
          },
        }),
      content: {
        [LD]: { schema: ref(`${resource.name}.jsonld`) },
        [JSON_TYPE]: { schema: ref(resource.name) },
      },
    },
  };
}

/** The response to a page's form. */
const THANK_YOU_REDIRECT: Record<string, ApiResponse> = {
  303: {
    description: "Fait, pour un formulaire envoyé sans JavaScript",
    headers: {
      Location: { description: "Adresse de la page de remerciement", schema: { type: "string" } },
    },
  },
};

const TOTAL_HEADER: ApiResponse["headers"] = {
  "X-Total-Count": { description: "Nombre d'éléments en tout", schema: { type: "integer" } },
};

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

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

function collectionSchema(resource: AnyResource): JsonSchema {
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

const text = (description: string): JsonSchema => ({ type: "string", description });

const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  HydraCollection: {
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
  },
  Problem: {
    type: "object",
    description: "Un refus",
    required: ["@type", "status", "title", "detail"],
    properties: {
      "@type": text("hydra:Error, ou ConstraintViolationList"),
      type: text(
        `/api/errors/{status} ; ${REAUTHENTICATION_REQUIRED} pour le 403 qui demande de s'authentifier de nouveau`,
      ),
      reauthentication: {
        type: "string",
        enum: ["password", "code"],
        description: "Avec ce 403 : ce que POST /api/reauthenticate demande",
      },
      status: { type: "integer", description: "Le code HTTP" },
      title: text("La sorte de refus"),
      detail: text("La raison, en français"),
      description: text("Comme detail"),
      "hydra:title": text("Comme title"),
      "hydra:description": text("Comme detail"),
      error: text("Comme detail"),
    },
  },
  Unauthorized: {
    allOf: [
      ref("Problem"),
      {
        type: "object",
        properties: { code: { type: "integer", const: 401 }, message: text("Comme detail") },
      },
    ],
  },
  ConstraintViolationList: {
    allOf: [
      ref("Problem"),
      {
        type: "object",
        required: ["violations"],
        properties: {
          violations: {
            type: "array",
            items: {
              type: "object",
              required: ["propertyPath", "message"],
              properties: {
                propertyPath: text("Le champ, par exemple items[0].quantity"),
                message: text("La règle enfreinte, en français"),
              },
            },
          },
          errors: {
            type: "object",
            description: "Sur certains appels : une phrase par champ, general pour l'ensemble",
            additionalProperties: { type: "string" },
          },
        },
      },
    ],
  },
};

function problemResponse(status: number, title: string): ApiResponse {
  const schema =
    status === 401 ? "Unauthorized" : status === 422 ? "ConstraintViolationList" : "Problem";
  const headers: Record<number, [string, JsonSchema]> = {
    401: ["WWW-Authenticate", { type: "string", const: "Bearer" }],
    405: ["Allow", { type: "string" }],
    429: ["Retry-After", { type: "integer", description: "Secondes" }],
    503: ["Retry-After", { type: "integer", description: "Secondes" }],
  };
  const header = headers[status];
  return {
    description: title,
    ...(header && { headers: { [header[0]]: { description: header[0], schema: header[1] } } }),
    content: { [PROBLEM]: { schema: ref(schema) } },
  };
}

const orAsPage = ({ content, ...answer }: ApiResponse): ApiResponse => ({
  ...answer,
  content: { [HTML]: { schema: { type: "string" } }, ...content },
});
