import type { z } from "zod";
import type { AnyResource } from "@/lib/http/api/resource";
import type { Definition, Handler } from "@/lib/http/api/route-definition";
import { VERBS, type Verb } from "@/lib/http/api/verbs";

/** One documented call. */
export interface Operation {
  path: string;
  verb: Verb;
  definition: Definition;
  /** The French title of the group it stands in. */
  group: string;
}

/** Routes by the documentation's heading and by path: app/api/index.ts. */
export type ApiIndex = Readonly<Record<string, Readonly<Record<string, Record<Verb, Handler>>>>>;

/** Every call of the API, in the order of the index. */
export function listOperations(index: ApiIndex): Operation[] {
  return Object.entries(index).flatMap(([group, routes]) =>
    Object.entries(routes).flatMap(([path, handlers]) =>
      VERBS.flatMap((verb) => {
        const { definition } = handlers[verb] as Handler;
        return definition ? [{ path, verb, definition, group }] : [];
      }),
    ),
  );
}

/** The resource that a call answers with, as item or as list; administrators' where there are two. */
export const resourceOf = ({ definition: { reply } }: Operation) => resourceOfReply(reply);

const resourceOfReply = (reply: Definition["reply"]): AnyResource | null =>
  reply.kind === "text" && reply.doc.kind !== "json" ? reply.doc.resource : null;

/** All resources of the same name: one is for administrators, another for everybody else. */
export function viewsOf(resource: AnyResource, operations: readonly Operation[]): AnyResource[] {
  const views = operations
    .flatMap(({ definition: { reply, othersReply } }) => [reply, othersReply ?? reply])
    .flatMap((reply) => resourceOfReply(reply) ?? [])
    .filter(({ name }) => name === resource.name);
  return [...new Set([resource, ...views])];
}

/** The JSON body that a call takes. */
export function bodySchemaOf({ definition: { body } }: Operation): z.ZodType | null {
  return body === undefined || "kind" in body ? null : body;
}

/**
 * Every resource that some call returns, directly or embedded in another one, by name. Direct ones
 * come first: an embedded one is often but a part.
 */
export function listResources(operations: readonly Operation[]): Map<string, AnyResource> {
  const direct = operations.flatMap((operation) => resourceOf(operation) ?? []);
  const found = new Map<string, AnyResource>();
  for (const resource of direct) if (!found.has(resource.name)) found.set(resource.name, resource);
  const addEmbedded = (resource: AnyResource) => {
    for (const embedded of Object.values(resource.embedded())) {
      if (found.has(embedded.name)) continue;
      found.set(embedded.name, embedded);
      addEmbedded(embedded);
    }
  };
  direct.forEach(addEmbedded);
  return found;
}

/** The path of a resource's collection, where there is a call that reads it. */
export function collectionPathOf(
  resource: AnyResource,
  operations: readonly Operation[],
): string | null {
  const lists = operations.filter(
    ({ verb, path, definition: { reply } }) =>
      verb === "GET" &&
      !path.includes("{") &&
      reply.kind === "text" &&
      reply.doc.kind === "collection" &&
      reply.doc.resource.name === resource.name,
  );
  const own = lists.find(({ path }) => path === resource.path);
  return (own ?? lists[0])?.path ?? null;
}

/** The refusals that a call's declarations imply, besides those that it names itself. */
export function refusalsOf({ definition }: Operation): number[] {
  const { access, params, query, body, rateLimit, reply, refusals } = definition;
  const statuses = new Set(refusals);
  if (query || body) statuses.add(400);
  if (access !== "public" && access !== "optional") statuses.add(401);
  if (access === "admin") statuses.add(403);
  if (params) statuses.add(404);
  if (reply.kind === "text") statuses.add(406);
  if (body) for (const status of [408, 413, 415, 422]) statuses.add(status);
  if (rateLimit) statuses.add(429);
  return [...statuses].sort((a, b) => a - b);
}
