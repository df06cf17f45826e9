import type { z } from "zod";
import { fail, isFailure } from "@/lib/errors/failure";
import { frenchIssue, toViolations } from "@/lib/http/api/french-issues";
import type { JsonSchema } from "@/lib/http/api/json-schema";

/** Bytes that a JSON body may have where the route does not say otherwise. */
export const DEFAULT_BODY_LIMIT = 64_000;

/** Milliseconds within which some more of a body has to arrive. */
const STALL_MS = 10_000;

/** A body that is not JSON: how it is read, and how it is documented. */
export interface BodyReader<T> {
  readonly kind: "reader";
  readonly contentType: string;
  readonly description: string;
  readonly schema: JsonSchema;
  read(request: Request): Promise<T>;
}

/**
 * Reads the whole body, but never more than `limit` bytes of it, whatever its headers promise.
 *
 * @throws 413 where it is longer; 408 where nothing more of it comes, as where the client has left
 */
export async function readBounded(
  request: Request,
  limit: number,
  text = `Le contenu envoyé est trop volumineux (${size(limit)} au plus).`,
): Promise<Uint8Array> {
  const tooLarge = () => fail.tooLarge(text);
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  try {
    // One piece of memory: pieces of one byte each would take a hundred times their length. Its unwritten part takes no memory.
    const body = Buffer.allocUnsafeSlow(limit);
    let length = 0;
    for (;;) {
      const { done, value } = await readInTime(reader);
      if (done) return body.subarray(0, length);
      if (length + value.byteLength > limit) throw tooLarge();
      body.set(value, length);
      length += value.byteLength;
    }
  } catch (error) {
    // Not awaited: a client that keeps sending must not keep its answer from being sent.
    reader.cancel().catch(() => {});
    // Node.js's error for a client that has left looks like one of the database's connection.
    throw isFailure(error) ? error : fail.timeout();
  }
}

/** @throws 408 where nothing comes */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timeout: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(fail.timeout()), STALL_MS);
  });
  try {
    return await Promise.race([reader.read(), stalled]);
  } finally {
    clearTimeout(timeout);
  }
}

function size(bytes: number): string {
  return bytes >= 1_000_000 ? `${bytes / 1_000_000} Mo` : `${Math.floor(bytes / 1000)} Ko`;
}

function mediaType(header: string | null): { type: string; charset: string | undefined } {
  const [type = "", ...params] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = params.find((param) => param.startsWith("charset="))?.slice("charset=".length);
  return { type, charset: charset?.replaceAll('"', "") };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads and validates a JSON body: 413, 415, 400 and 422 in this order of checks. */
export async function readJson<S extends z.ZodType>({
  request,
  schema,
  limit,
}: {
  request: Request;
  schema: S;
  limit: number;
}): Promise<z.output<S>> {
  const { type, charset } = mediaType(request.headers.get("content-type"));
  const isJson = type === "application/json" || type === "application/ld+json";
  if (
    type !== "" &&
    (!isJson || (charset !== undefined && charset !== "utf-8" && charset !== "utf8"))
  )
    throw refuseType();
  const bytes = await readBounded(request, limit);
  if (bytes.byteLength === 0)
    throw fail.badRequest("Le corps de la requête est vide : du JSON est attendu.");
  if (!isJson) throw refuseType();

  let text: string;
  let json: unknown;
  try {
    text = utf8.decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw fail.badRequest("Le corps de la requête n'est pas du JSON valable.");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw fail.badRequest("Le corps de la requête doit être un objet JSON.");

  // JSON can only spell them as escapes.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) {
    const path = findUnstorable(json);
    if (path !== null) throw fail.violation(path, "Ce texte contient un caractère interdit.");
  }

  const result = await schema.safeParseAsync(json, { error: frenchIssue });
  if (!result.success) throw fail.violations(toViolations(result.error.issues));
  return result.data;
}

function refuseType() {
  return fail.unsupportedType(
    "Ce type de contenu n'est pas accepté. Types acceptés : application/json, application/ld+json.",
  );
}

/** NUL and half of a surrogate pair have no place in PostgreSQL. */
const isStorable = (text: string) => !text.includes("\0") && !/\p{Surrogate}/u.test(text);

/** The path of a text that cannot be stored, or null. Without recursion, since JSON may nest deeply. */
function findUnstorable(json: object): string | null {
  const pending: { value: unknown; path: string }[] = [{ value: json, path: "" }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, path } = item;
    if (typeof value === "string" && !isStorable(value)) return path;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return path;
      const innerPath = Array.isArray(value)
        ? `${path}[${key}]`
        : path === ""
          ? key
          : `${path}.${key}`;
      pending.push({ value: inner, path: innerPath });
    }
  }
  return null;
}

/** The raw body, for signatures that are computed over its bytes (webhooks). */
export function rawText({
  limit = DEFAULT_BODY_LIMIT,
  description,
  check,
}: {
  limit?: number;
  description: string;
  /** Throws where the body need not be read. */
  check?: (request: Request) => void;
}): BodyReader<string> {
  return {
    kind: "reader",
    contentType: "application/json",
    description,
    schema: { type: "object" },
    read: async (request) => {
      check?.(request);
      return Buffer.from(await readBounded(request, limit)).toString("utf8");
    },
  };
}

/** One uploaded file in a multipart form. */
export function fileUpload({
  field,
  limit,
  description,
}: {
  field: string;
  /** Bytes that the file may have. */
  limit: number;
  description: string;
}): BodyReader<File> {
  /** Bytes of the multipart form around the file. */
  const overhead = 16_000;
  return {
    kind: "reader",
    contentType: "multipart/form-data",
    description,
    schema: {
      type: "object",
      required: [field],
      properties: { [field]: { type: "string", format: "binary", description } },
    },
    async read(request) {
      const header = request.headers.get("content-type");
      if (mediaType(header).type !== "multipart/form-data" || header === null)
        throw fail.unsupportedType("Un formulaire multipart/form-data est attendu.");
      const tooLarge = `Le fichier est trop volumineux (${size(limit)} au plus).`;
      const bytes = await readBounded(request, limit + overhead, tooLarge);
      let form: FormData;
      try {
        form = await new Response(bytes as BodyInit, {
          headers: { "content-type": header },
        }).formData();
      } catch {
        throw fail.badRequest("Le formulaire envoyé n'est pas lisible.");
      }
      const file = form.get(field);
      if (!(file instanceof File)) throw fail.violation(field, "Veuillez choisir un fichier.");
      if (file.size > limit) throw fail.tooLarge(tooLarge);
      return file;
    },
  };
}
