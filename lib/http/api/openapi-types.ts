import type { JsonSchema } from "@/lib/http/api/json-schema";

export interface ApiResponse {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, { schema: JsonSchema }>;
}

export const LD = "application/ld+json";
export const JSON_TYPE = "application/json";

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const text = (description: string): JsonSchema => ({ type: "string", description });
