import type { z } from "zod";
import type { Access } from "@/lib/http/api/access";
import type { BodyReader } from "@/lib/http/api/body";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import type { CsvTable } from "@/lib/http/api/csv";
import type { EmptyReply, FileReply, TextReply } from "@/lib/http/api/reply";
import type { Resource } from "@/lib/http/api/resource";
import type { RateLimit } from "@/lib/http/rate-limit";

/** As Next.js calls it. */
export interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

export interface Handler {
  (request: Request, context: RouteContext): Promise<Response>;
  /** What the documentation is made from; it leaves out a handler without one. */
  definition?: Definition | undefined;
}

export type SchemaOrReader = z.ZodType | BodyReader<unknown>;

type ParsedBody<B> =
  B extends BodyReader<infer T> ? T : B extends z.ZodType ? z.output<B> : undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What is known of the caller. */
type Known<A extends Access, T> = A extends "user" | "admin" | "pending-2fa"
  ? T
  : A extends "optional"
    ? T | null
    : null;

/** What `run` is given: everything checked, nothing raw. */
export interface RouteInput<A extends Access, P, Q, B> {
  user: Known<A, SessionUser>;
  token: Known<A, TokenClaims>;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: ParsedBody<B>;
  request: Request;
}

export interface RouteConfig<A extends Access, P, Q, B, T> {
  access: A;
  /** What the call does, in French, for the documentation. */
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  /** Headers that a request has to have, with what they are for: for the documentation, `run` reads them. */
  headers?: Readonly<Record<string, string>>;
  body?: B;
  /** Bytes of a JSON body; 64 kB if not given. */
  bodyLimit?: number;
  /** 422 answers carry `errors: {field: message}`, too. */
  errorsMap?: boolean;
  /** Calls of one user; for calls of logged-in users. */
  rateLimit?: RateLimit;
  /** Further refusals that `run` may throw (409 …), for the documentation. */
  refusals?: readonly number[];
  /**
   * The tags (cache-tags.ts) of the finished response in the cache: writes that expire one of them expire it. For public
   * reads; null for one that is not worth being cached.
   */
  cacheTags?: (input: { params: Parsed<P>; query: Parsed<Q> }) => readonly string[] | null;
  run: (input: RouteInput<A, P, Q, B>) => T | Promise<T>;
  /** The whole list, for `Accept: text/csv`. */
  csv?: (input: RouteInput<A, P, Q, B>) => CsvTable;
  /** How `run`'s result is sent: a resource (its item), another reply, or a status without body. */
  reply: Resource<T> | TextReply<T> | FileReply | 204;
}

type Schema = z.ZodObject | undefined;

/** A route's declarations without their types: what the documentation reads. */
export interface Definition
  extends Pick<
    RouteConfig<Access, Schema, Schema, SchemaOrReader | undefined, never>,
    | "access"
    | "summary"
    | "description"
    | "params"
    | "query"
    | "headers"
    | "body"
    | "rateLimit"
    | "refusals"
  > {
  /** Answers `text/csv`, too. */
  hasCsv: boolean;
  /** Accepts a page's form, too, and responds with pages. */
  takesForms?: boolean;
  reply: TextReply<never> | FileReply | EmptyReply;
  /** The reply to others than administrators, where it differs. */
  othersReply?: Definition["reply"];
}
