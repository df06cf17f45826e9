import { z } from "zod";
import { fail } from "@/lib/errors/failure";
import { type Access, authorize, hasAdminToken } from "@/lib/http/api/access";
import { DEFAULT_BODY_LIMIT, readJson } from "@/lib/http/api/body";
import { answersCalls } from "@/lib/http/api/call";
import { csvResponse, prefersCsv } from "@/lib/http/api/csv";
import { CONTENT_TYPE, type Format, negotiate } from "@/lib/http/api/negotiate";
import { problem } from "@/lib/http/api/problem";
import { NO_QUERY, parseQuery, queryReader, type RawQuery } from "@/lib/http/api/query";
import { type EmptyReply, itemOf, type ReplyContext } from "@/lib/http/api/reply";
import { revalidatedText, withEtag } from "@/lib/http/api/revalidated-text";
import type {
  Definition,
  Handler,
  RouteConfig,
  RouteContext,
  RouteInput,
  SchemaOrReader,
} from "@/lib/http/api/route-definition";
import { VERBS, type Verb } from "@/lib/http/api/verbs";
import { cachedText } from "@/lib/http/cache/cache";
import { COMMON_HEADERS } from "@/lib/http/headers";
import { rateLimiter } from "@/lib/http/rate-limit";

/**
 * Makes the handler of one verb from what it declares:
 *
 *     PUT: route({
 *       access: "user",
 *       summary: "Modifier une adresse",
 *       params: idParams,
 *       body: addressInput,
 *       run: ({ user, params, body }) => updateAddress({ userId: user.id, id: params.id, ...body }),
 *       reply: addressResource,
 *     })
 *
 * It does, in this order: format (406) → access (401, 403) → rate limit (429) → params (404) →
 * query (400) → body (408, 413, 415, 400, 422) → `run` → `reply`. Whatever is thrown on the way becomes
 * a French JSON answer.
 */
export function route<
  const A extends Access,
  T,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends SchemaOrReader | undefined = undefined,
>(config: RouteConfig<A, P, Q, B, T>): Handler {
  const { access, params: paramsSchema, query: querySchema, body: bodySchema, run } = config;
  const { bodyLimit = DEFAULT_BODY_LIMIT, errorsMap = false, cacheTags } = config;
  const isPublic = access === "public";
  const reader = querySchema ? queryReader(querySchema) : null;
  const reply = toReply(config.reply);
  const limiter = config.rateLimit ? rateLimiter(config.rateLimit) : null;

  /** Checks a request against what is declared. */
  async function readCall(request: Request, context: RouteContext) {
    const accept = request.headers.get("accept");
    const table = config.csv && prefersCsv(accept) ? config.csv : undefined;
    const format = reply.kind === "text" && !table ? negotiate(accept) : "ld";
    if (format === null) throw fail.notAcceptable();
    let caller = await authorize(access, request);
    await limiter?.consume(String(caller.user?.id));
    const params = paramsSchema ? parseParams(paramsSchema, await context.params) : undefined;
    const raw = reader ? reader.read(new URL(request.url).search) : NO_QUERY;
    const query = querySchema ? parseQuery(querySchema, raw) : undefined;

    const startedAt = performance.now();
    const body = bodySchema ? await readBody(request, bodySchema, bodyLimit) : undefined;
    // The session may have ended while a slow body was sent.
    if (performance.now() - startedAt > SLOW_BODY_MS) caller = await authorize(access, request);
    // The schemas above have given these types.
    const input = { ...caller, params, query, body, request } as RouteInput<A, P, Q, B>;
    return { input, table, format, raw };
  }

  /** Runs the call and writes what it gives. */
  async function respond({ input, table, format, raw }: Awaited<ReturnType<typeof readCall>>) {
    if (table) return withCommonHeaders(await csvResponse(table(input)), { isPublic });
    if (reply.kind === "file")
      return withCommonHeaders((await run(input)) as Response, { isPublic });
    if (reply.kind === "empty") {
      await run(input);
      return new Response(null, { status: reply.status, headers: EMPTY_HEADERS });
    }
    const { request, params, query } = input;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const headers = (isRead && isPublic ? PUBLIC_HEADERS : PRIVATE_HEADERS)[format];
    const context: ReplyContext = { format, reader, raw, query, params };
    const tags = cacheTags?.({ params, query });
    const key = tags && cacheKeyOf(request, raw);
    if (tags && key) {
      const textWithEtag = await cachedText({
        key: [format, key],
        tags,
        run: async () => withEtag(reply.text(await run(input), context)),
      });
      return revalidatedText({ request, textWithEtag, headers });
    }
    const value = await run(input);
    return new Response(reply.text(value, context), {
      status: reply.status(request, value),
      headers: { ...headers, ...reply.headers?.(value, request) },
    });
  }

  const handler = async (request: Request, context: RouteContext) => {
    try {
      return await respond(await readCall(request, context));
    } catch (error) {
      return problem(error, { errorsMap, request });
    }
  };
  const { run: _run, cacheTags: _cacheTags, csv, ...declared } = config;
  const definition: Definition = {
    ...declared,
    hasCsv: csv !== undefined,
    reply: reply as Definition["reply"],
  };
  return Object.assign(handler, { definition });
}

/**
 * One path with two views of the same resource: administrators get the first, everybody else the
 * second, also with an invalid token. The documentation shows both as one.
 */
export function viewOf({
  admins,
  others,
  when = () => true,
}: {
  admins: Handler;
  others: Handler;
  /** Does an administrator want the first? */
  when?: (request: Request) => boolean;
}): Handler {
  const handler = async (request: Request, context: RouteContext) => {
    if (when(request) && (await hasAdminToken(request))) {
      const answer = await admins(request, context);
      // Else they are no administrator any more.
      if (answer.status !== 401 && answer.status !== 403) return answer;
    }
    return others(request, context);
  };
  const { definition } = admins;
  return Object.assign(handler, {
    definition: definition && others.definition && bothViews(definition, others.definition),
  });
}

function bothViews(admins: Definition, others: Definition): Definition {
  const query = { ...others.query?.shape, ...admins.query?.shape };
  return {
    ...admins,
    access: "optional",
    query: admins.query || others.query ? z.object(query) : undefined,
    refusals: [...(admins.refusals ?? []), ...(others.refusals ?? [])],
    othersReply: others.reply,
  };
}

/**
 * All seven verbs of a route file: those given, HEAD from GET, OPTIONS, and for the others the
 * contract's 405 (Next.js's own has no body).
 */
export function methods(handlers: Partial<Record<Verb, Handler>>): Record<Verb, Handler> {
  const { GET } = handlers;
  const offered = VERBS.filter(
    (verb) => handlers[verb] || verb === "OPTIONS" || (verb === "HEAD" && GET),
  );
  const allow = offered.join(", ");
  const refuse: Handler = async (request) => problem(fail.methodNotAllowed(allow), { request });
  const options = async () =>
    new Response(null, { status: 204, headers: { ...EMPTY_HEADERS, Allow: allow } });
  const all: Partial<Record<Verb, Handler>> = { OPTIONS: options, ...handlers };
  if (GET) all.HEAD ??= withoutBody(GET);
  return everyVerb((verb) => all[verb] ?? refuse);
}

/** All verbs of the catch-all route: whatever the path, it does not exist. */
export function refuseAll(): Record<Verb, Handler> {
  const refuse: Handler = async (request) =>
    problem(fail.notFound("Cette adresse n'existe pas."), { request });
  const head = withoutBody(refuse);
  return everyVerb((verb) => (verb === "HEAD" ? head : refuse));
}

function everyVerb(handlerOf: (verb: Verb) => Handler): Record<Verb, Handler> {
  const entries = VERBS.map((verb) => [verb, answersCalls(handlerOf(verb))]);
  return Object.fromEntries(entries) as Record<Verb, Handler>;
}

function withoutBody(handler: Handler): Handler {
  return async (request, context) => {
    const { status, headers, body } = await handler(request, context);
    await body?.cancel();
    return new Response(null, { status, headers });
  };
}

/** A longer key holds free text that hardly repeats: such responses are not cached. */
const MAX_KEY_LENGTH = 300;

/** Path and known parameters; null where the response is not worth being cached. */
function cacheKeyOf({ url }: Request, { filters, page = "1" }: RawQuery): string | null {
  const key = `${new URL(url).pathname}?${filters}&page=${page}`;
  return key.length <= MAX_KEY_LENGTH ? key : null;
}

/** Milliseconds after which the caller is authorized again. */
const SLOW_BODY_MS = 1_000;

const EMPTY_HEADERS = { ...COMMON_HEADERS, "Cache-Control": "no-store" };

/** A cache may keep a public response, but has to revalidate it (ETag). */
const PUBLIC_HEADERS = textHeaders("public, no-cache");
const PRIVATE_HEADERS = textHeaders("private, no-store");

function textHeaders(cacheControl: string): Record<Format, Record<string, string>> {
  const headers = (format: Format) => ({
    ...COMMON_HEADERS,
    "Content-Type": CONTENT_TYPE[format],
    "Cache-Control": cacheControl,
  });
  return { ld: headers("ld"), json: headers("json") };
}

function toReply<T>(reply: RouteConfig<Access, never, never, never, T>["reply"]) {
  if (typeof reply === "number") return { kind: "empty", status: reply } satisfies EmptyReply;
  return reply.kind === "item" ? itemOf(reply) : reply;
}

function parseParams<P extends z.ZodObject>(
  schema: P,
  params: Record<string, string | string[] | undefined>,
): z.output<P> {
  const result = schema.safeParse(params);
  // An id that no row can have is unknown as well.
  if (!result.success) throw fail.notFound();
  return result.data;
}

function readBody(request: Request, schema: SchemaOrReader, limit: number): Promise<unknown> {
  return "kind" in schema ? schema.read(request) : readJson({ request, schema, limit });
}

/** A response that `run` made itself, with the headers of every response. */
function withCommonHeaders(response: Response, { isPublic }: { isPublic: boolean }): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(COMMON_HEADERS))
    if (!headers.has(name)) headers.set(name, value);
  if (!isPublic && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return response;
}
