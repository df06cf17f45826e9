import type { Access } from "@/lib/http/api/access";
import { type JsonSchema, jsonSchemaOf } from "@/lib/http/api/json-schema";
import { orAsPage, problemResponse } from "@/lib/http/api/openapi-errors";
import { collectionSchema } from "@/lib/http/api/openapi-schemas";
import {
  type ApiResponse,
  FORM,
  JSON_TYPE,
  LD,
  type OpenApiOperation,
  type Parameter,
  ref,
} from "@/lib/http/api/openapi-types";
import { type Operation, refusalsOf, resourceOf } from "@/lib/http/api/operations";
import { PROBLEM_TITLES } from "@/lib/http/api/problem";

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  user: [{ bearer: [] }],
  admin: [{ bearer: [] }],
  "pending-2fa": [{ bearer: [] }],
  cron: [{ scheduler: [] }],
};

export function operationOf(operation: Operation): OpenApiOperation {
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

function parametersOf({ definition: { params, query, headers = {} } }: Operation): Parameter[] {
  const inPath = params ? (jsonSchemaOf(params).properties ?? {}) : {};
  const { properties = {}, required = [] } = query ? jsonSchemaOf(query) : {};
  return [
    ...Object.entries(inPath).map(([name, schema]) =>
      parameter({ name, in: "path", required: true, schema }),
    ),
    ...Object.entries(properties).map(([name, schema]) => {
      const isRequired = required.includes(name);
      // `characteristics[Matière][]=Bois`: OpenAPI's `deepObject` is the nearest that can be said.
      if (schema.type === "object") {
        const lists = parameter({ name, in: "query", required: isRequired, schema });
        return { ...lists, style: "deepObject" as const, explode: true };
      }
      if (schema.type !== "array")
        return parameter({ name, in: "query", required: isRequired, schema });
      const list = parameter({ name: `${name}[]`, in: "query", required: isRequired, schema });
      return { ...list, style: "form" as const, explode: true };
    }),
    ...Object.entries(headers).map(([name, description]) => {
      const schema: JsonSchema = { type: "string", description };
      return parameter({ name, in: "header", required: true, schema });
    }),
  ];
}

/** The description stands beside the schema. */
const parameter = ({
  schema: { description = "", ...schema },
  ...rest
}: Omit<Parameter, "description">): Parameter => ({ ...rest, description, schema });

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
    const { otherItems, headers, plainArray } = reply.doc;
    const list: JsonSchema = {
      type: "array",
      items: otherItems
        ? { anyOf: [ref(resource.name), jsonSchemaOf(otherItems)] }
        : ref(resource.name),
    };
    const ld = plainArray ? list : collectionSchema(resource);
    return {
      [status]: {
        description: `Liste : ${resource.description}`,
        ...((plainArray || headers) && {
          headers: { ...(plainArray && TOTAL_HEADER), ...headersOf(headers ?? {}) },
        }),
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
        resource.path !== null && { headers: headersOf({ Location: "Adresse de l'élément" }) }),
      content: {
        [LD]: { schema: ref(`${resource.name}.jsonld`) },
        [JSON_TYPE]: { schema: ref(resource.name) },
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
