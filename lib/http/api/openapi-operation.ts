import type { Access } from "@/lib/http/api/access";
import { type JsonSchema, jsonSchemaOf } from "@/lib/http/api/json-schema";
import { orAsPage, problemResponse } from "@/lib/http/api/openapi-errors";
import { collectionSchema } from "@/lib/http/api/openapi-schemas";
import { type ApiResponse, JSON_TYPE, LD, ref } from "@/lib/http/api/openapi-types";
import { type Operation, refusalsOf } from "@/lib/http/api/operations";
import { PROBLEM_TITLES } from "@/lib/http/api/problem";

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  user: [{ bearer: [] }],
  admin: [{ bearer: [] }],
  "pending-2fa": [{ bearer: [] }],
  cron: [{ scheduler: [] }],
};

export function operationOf(operation: Operation) {
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
      default: { $ref: "#/components/responses/Refusal" },
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

function parametersOf({ definition: { params, query, headers = {} } }: Operation) {
  const inPath = params ? (jsonSchemaOf(params).properties ?? {}) : {};
  const { properties = {}, required = [] } = query ? jsonSchemaOf(query) : {};
  return [
    ...Object.entries(inPath).map(([name, schema]) =>
      parameter({ name, in: "path", required: true, schema }),
    ),
    ...Object.entries(properties).map(([name, schema]) => {
      const isList = schema.type === "array";
      const isRequired = required.includes(name);
      const key = isList ? `${name}[]` : name;
      const one = parameter({ name: key, in: "query", required: isRequired, schema });
      if (isList) return { ...one, style: "form", explode: true };
      // `characteristics[Matière][]=Bois`: OpenAPI's `deepObject` is the nearest that can be said.
      return schema.type === "object" ? { ...one, style: "deepObject", explode: true } : one;
    }),
    ...Object.entries(headers).map(([name, description]) =>
      parameter({ name, in: "header", required: true, schema: { type: "string", description } }),
    ),
  ];
}

/** The description stands beside the schema. */
const parameter = ({
  schema: { description = "", ...schema },
  ...rest
}: {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: JsonSchema;
}) => ({ ...rest, description, schema });

function requestBodyOf({ definition: { body, takesForms } }: Operation) {
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
      ...(takesForms && { "application/x-www-form-urlencoded": { schema } }),
    },
  };
}

const bothForms = (ld: JsonSchema, plain: JsonSchema) => ({
  [LD]: { schema: ld },
  [JSON_TYPE]: { schema: plain },
});

function successOf({ verb, definition }: Operation): Record<string, ApiResponse> {
  const { reply } = definition;
  if (reply.kind === "empty")
    return { [reply.status]: { description: "Fait ; la réponse n'a pas de contenu" } };
  if (reply.kind === "file") {
    const { status, description, contentType, schema = {} } = reply;
    return { [status]: { description, content: { [contentType]: { schema } } } };
  }
  const status = String(reply.status({ method: verb }));
  const { doc } = reply;
  if (doc.kind === "json") {
    const schema = jsonSchemaOf(doc.schema);
    const done = { description: "Fait", content: bothForms(schema, schema) };
    return {
      ...Object.fromEntries((doc.statuses ?? [status]).map((each) => [each, done])),
      ...(definition.takesForms && THANK_YOU_REDIRECT),
    };
  }
  const { name, path, description } = doc.resource;
  if (doc.kind === "item") {
    const location = status === "201" && path !== null && { Location: "Adresse de l'élément" };
    return {
      [status]: {
        description,
        ...(location && { headers: headersOf(location) }),
        content: bothForms(ref(`${name}.jsonld`), ref(name)),
      },
    };
  }
  const { otherItems, headers, plainArray } = doc;
  const items = otherItems ? { anyOf: [ref(name), jsonSchemaOf(otherItems)] } : ref(name);
  const list: JsonSchema = { type: "array", items };
  return {
    [status]: {
      description: `Liste : ${description}`,
      ...((plainArray || headers) && {
        headers: { ...(plainArray && TOTAL_HEADER), ...headersOf(headers ?? {}) },
      }),
      content: {
        ...bothForms(plainArray ? list : collectionSchema(doc.resource), list),
        ...(definition.hasCsv && { "text/csv": { schema: { type: "string" } } }),
      },
    },
  };
}

const headersOf = (descriptions: Readonly<Record<string, string>>): ApiResponse["headers"] =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );

/** The response to a page's form. */
const THANK_YOU_REDIRECT: Record<string, ApiResponse> = {
  303: {
    description: "Fait, pour un formulaire envoyé sans JavaScript",
    headers: headersOf({ Location: "Adresse de la page de remerciement" }),
  },
};

const TOTAL_HEADER: ApiResponse["headers"] = {
  "X-Total-Count": { description: "Nombre d'éléments en tout", schema: { type: "integer" } },
};
