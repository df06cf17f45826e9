import type { JsonSchema } from "@/lib/http/api/json-schema";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: JsonSchema;
  style?: "form" | "deepObject";
  explode?: boolean;
}

interface Content {
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

export const LD = "application/ld+json";
export const JSON_TYPE = "application/json";
export const FORM = "application/x-www-form-urlencoded";
export const HTML = "text/html";

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const text = (description: string): JsonSchema => ({ type: "string", description });
