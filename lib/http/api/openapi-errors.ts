import { REAUTHENTICATION_REQUIRED } from "@/lib/errors/failure";
import type { JsonSchema } from "@/lib/http/api/json-schema";
import { type ApiResponse, ref, text } from "@/lib/http/api/openapi-types";

const PROBLEM = "application/problem+json";

export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Problem: {
    type: "object",
    description: "Un refus",
    required: [
      "@type",
      "status",
      "title",
      "detail",
      "description",
      "hydra:title",
      "hydra:description",
      "error",
    ],
    properties: {
      "@context": { type: "string" },
      "@id": { type: "string", format: "iri-reference" },
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
      current: {
        type: "object",
        description: "Avec le 409 d'un objet qui a changé entre-temps : cet objet, tel qu'il est",
      },
    },
  },
  Unauthorized: {
    allOf: [
      ref("Problem"),
      {
        type: "object",
        required: ["code", "message"],
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

export function problemResponse(status: number, title: string): ApiResponse {
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

export const orAsPage = ({ content, ...answer }: ApiResponse): ApiResponse => ({
  ...answer,
  content: { "text/html": { schema: { type: "string" } }, ...content },
});
