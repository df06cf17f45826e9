import { z } from "zod";
import { hydraSearch, hydraView } from "@/lib/http/api/collection";
import type { JsonSchema } from "@/lib/http/api/json-schema";
import type { Format } from "@/lib/http/api/negotiate";
import { DEFAULT_PAGE_SIZE, type Page, type PageRequest } from "@/lib/http/api/paging";
import type { QueryReader, RawQuery } from "@/lib/http/api/query";
import type { AnyResource, Resource } from "@/lib/http/api/resource";

/** What a reply may need to know of the request. */
export interface ReplyContext {
  format: Format;
  reader: QueryReader | null;
  raw: RawQuery;
  query: unknown;
  params: unknown;
}

/** How the value that `run` gives becomes the answer, and what the documentation says of it. */
export interface TextReply<T> {
  kind: "text";
  /** `value` is undefined for the documentation. */
  status(request: { method: string }, value?: T): number;
  doc: ReplyDoc;
  text(value: T, context: ReplyContext): string;
  headers?(value: T, request: Request): Record<string, string>;
}

/** 204: no body. */
export interface EmptyReply {
  kind: "empty";
  status: number;
}

/** `run` gives the Response itself. */
export interface FileReply {
  kind: "file";
  status: number;
  contentType: string;
  description: string;
  /** Of its content, where that is JSON. */
  schema?: JsonSchema;
}

type ReplyDoc =
  | { kind: "item"; resource: AnyResource }
  | {
      kind: "collection";
      resource: AnyResource;
      plainArray: boolean;
      /** Headers that only some answers have, with what they say. */
      headers?: Readonly<Record<string, string>> | undefined;
      /** What some queries give instead of the items. */
      otherItems?: z.ZodType | undefined;
    }
  /** `statuses` are all possible ones, where it depends on the value. */
  | { kind: "json"; schema: z.ZodType; statuses?: readonly number[] };

/** One item of a resource. Answering a POST it is 201, with the item's `Location`. */
export function itemOf<Row, S extends z.ZodObject>(resource: Resource<Row, S>): TextReply<Row> {
  const context = `/api/contexts/${resource.name}`;
  return {
    kind: "text",
    status: ({ method }) => (method === "POST" ? 201 : 200),
    doc: { kind: "item", resource: resource as unknown as AnyResource },
    text: (row, { format }) =>
      JSON.stringify(
        format === "ld" ? { "@context": context, ...resource.toLd(row) } : resource.toJson(row),
      ),
    headers: (row, { method }): Record<string, string> => {
      if (method !== "POST" || resource.path === null) return {};
      const { id } = resource.toJson(row) as unknown as { id: number };
      return { Location: resource.iri(id) };
    },
  };
}

/**
 * A list of a resource; `run` gives a `Page` of rows. `plainArray` answers a plain JSON array in
 * both formats, for the calls that the contract names; their total stands in a header. `headers` are
 * sent along where the answer is not stored. A `path` below an item, `/api/products/{id}/stock_movements`,
 * gets the parameters of the request.
 */
export function collectionOf<Row, S extends z.ZodObject, P extends Page<Row> = Page<Row>>(
  resource: Resource<Row, S>,
  {
    plainArray = false,
    path = resource.path ?? "",
    headers,
    headersDoc,
    otherItems,
  }: {
    plainArray?: boolean;
    path?: string;
    headers?: (page: P) => Record<string, string>;
    /** What `headers` say, by their names, for the documentation. */
    headersDoc?: Readonly<Record<string, string>>;
    otherItems?: z.ZodType;
  } = {},
): TextReply<P> {
  return {
    kind: "text",
    status: () => 200,
    doc: {
      kind: "collection",
      resource: resource as unknown as AnyResource,
      plainArray,
      headers: headersDoc,
      otherItems,
    },
    headers: (page) => ({
      ...(plainArray && { "X-Total-Count": String(page.total) }),
      ...headers?.(page),
    }),
    text: (page, { format, reader, raw, query, params }) => {
      if (plainArray || format === "json")
        return JSON.stringify(page.items.map((row) => resource.toJson(row)));
      const here = path.replace("{id}", String((params as { id?: number } | undefined)?.id));
      const { page: current = 1, itemsPerPage = DEFAULT_PAGE_SIZE } = (query ??
        {}) as Partial<PageRequest>;
      const request = { page: current, itemsPerPage };
      const view = hydraView({ path: here, raw, request, page });
      return JSON.stringify({
        "@context": `/api/contexts/${resource.name}`,
        "@id": here,
        "@type": "hydra:Collection",
        "hydra:totalItems": page.total,
        "hydra:member": page.items.map((row) => resource.toLd(row)),
        ...(view && { "hydra:view": view }),
        "hydra:search": hydraSearch(here, reader),
      });
    },
  };
}

/** As `json`, with headers that `run` gives beside the body. */
export function jsonWithHeaders<S extends z.ZodType>(
  schema: S,
): TextReply<{ body: z.input<S>; headers: Record<string, string> }> {
  return {
    kind: "text",
    status: () => 200,
    doc: { kind: "json", schema },
    text: ({ body }) => JSON.stringify(body),
    headers: ({ headers }) => headers,
  };
}

/**
 * A small JSON object that is no resource: the answer of a command. The same in both formats.
 *
 * @param status may depend on the value, which is undefined for the documentation
 * @param statuses all possible ones, where it does
 * @param noStore no cache may keep it
 */
export function json<S extends z.ZodType>(
  schema: S,
  {
    status = 200,
    statuses,
    noStore = false,
  }: {
    status?: number | ((value?: z.input<S>) => number);
    statuses?: readonly number[];
    noStore?: boolean;
  } = {},
): TextReply<z.input<S>> {
  return {
    kind: "text",
    status: (_, value) => (typeof status === "number" ? status : status(value)),
    doc: { kind: "json", schema, ...(statuses && { statuses }) },
    text: (value) => JSON.stringify(value),
    headers: () => ({ ...(noStore && { "Cache-Control": "no-store" }) }),
  };
}

/** The answer of a command that has nothing else to say. */
export const messageAnswer = z.object({
  message: z.string().meta({ description: "Phrase à montrer" }),
});

/** `{message}` */
export function message({ status = 200 }: { status?: number } = {}) {
  return json(messageAnswer, { status });
}

/** A file or a page; `run` gives the `Response`, in whatever format was asked for. */
export function file(options: {
  contentType: string;
  description: string;
  schema?: JsonSchema;
}): FileReply {
  return { kind: "file", status: 200, ...options };
}
