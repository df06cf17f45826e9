import { env, siteUrl } from "@/lib/env";
import { type JsonSchema, jsonSchemaOf, withoutNull } from "@/lib/http/api/json-schema";
import {
  type ApiIndex,
  bodySchemaOf,
  collectionPathOf,
  listOperations,
  listResources,
  type Operation,
  resourceOf,
} from "@/lib/http/api/operations";
import type { AnyResource } from "@/lib/http/api/resource";
import type {} from "@/lib/http/api/route";
import type { Verb } from "@/lib/http/api/verbs";
import { SHOP_NAME } from "@/lib/shop-name";

const DOCS_PATH = "/api/docs.jsonld";
const ENTRYPOINT_PATH = "/api";

/** An object of JSON-LD. */
type Node = Record<string, unknown>;

const PREFIXES = {
  "@vocab": `${DOCS_PATH}#`,
  hydra: "http://www.w3.org/ns/hydra/core#",
};

interface Model {
  operations: Operation[];
  resources: Map<string, AnyResource>;
  /** Resources with a list, under their key in the entry point. */
  collections: { key: string; path: string; resource: AnyResource }[];
}

const models = new WeakMap<ApiIndex, Model>();

/** Made at the first call. */
function modelOf(index: ApiIndex): Model {
  const known = models.get(index);
  if (known) return known;
  const operations = listOperations(index);
  const resources = listResources(operations);
  const collections = [...resources.values()].flatMap((resource) => {
    const path = collectionPathOf(resource, operations);
    return path === null ? [] : [{ key: lowerFirst(resource.name), path, resource }];
  });
  const model = { operations, resources, collections };
  models.set(index, model);
  return model;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** `GET /api`: where each collection is. Plain JSON has the paths alone. */
export function entrypoint({ index, format }: { index: ApiIndex; format: "ld" | "json" }): Node {
  const { collections } = modelOf(index);
  const paths = Object.fromEntries(collections.map(({ key, path }) => [key, path]));
  if (format === "json") return paths;
  return {
    "@context": "/api/contexts/Entrypoint",
    "@id": ENTRYPOINT_PATH,
    "@type": "Entrypoint",
    ...paths,
  };
}

const DOCS_REL = 'rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

/**
 * The entry point's link to the documentation, first as an absolute URL: API Platform's client library
 * fetches the first link as it is, which needs an absolute URL outside of a browser.
 */
export function entrypointLink(request: Request): Record<string, string> {
  return {
    Link: `<${originOf(request)}${DOCS_PATH}>; ${DOCS_REL}, <${DOCS_PATH}>; ${DOCS_REL}`,
    // Made from this request's host: not for other clients.
    "Cache-Control": "private, no-cache",
  };
}

/** The configured origin, or the request's own, as far as the proxy is trusted. */
function originOf({ headers }: Request): string {
  const host = headers.get("host") ?? "";
  const { SITE_URL, TRUST_PROXY } = env();
  if (SITE_URL || !/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)) return siteUrl();
  const isSecure = TRUST_PROXY > 0 && headers.get("x-forwarded-proto") === "https";
  return `${isSecure ? "https" : "http"}://${host}`;
}

/** `GET /api/contexts/{name}`: what the keys of a class's JSON-LD mean; null for no such class. */
export function contextOf({ index, name }: { index: ApiIndex; name: string }): Node | null {
  const model = modelOf(index);
  const { collections, resources } = model;
  if (name === "Entrypoint") {
    const terms = collections.map(({ key }) => [
      key,
      { "@id": `Entrypoint/${key}`, "@type": "@id" },
    ]);
    return { "@context": { ...PREFIXES, ...Object.fromEntries(terms) } };
  }
  if (name === "Error" || name === "ConstraintViolationList")
    return { "@context": { ...PREFIXES, ...ERROR_TERMS } };
  const resource =
    resources.get(name) ??
    [...resources.values()].find(({ subclasses }) => subclasses.includes(name));
  if (!resource) return null;
  const terms = propertiesOf(model, resource).map(({ name: property, isLink }) => {
    const id = `${resource.name}/${property}`;
    return [property, isLink ? { "@id": id, "@type": "@id" } : id];
  });
  return { "@context": { ...PREFIXES, ...Object.fromEntries(terms) } };
}

const ERROR_TERMS = {
  type: "Error/type",
  status: "Error/status",
  title: "hydra:title",
  detail: "hydra:description",
  description: "hydra:description",
  violations: "ConstraintViolationList/violations",
  propertyPath: "ConstraintViolation/propertyPath",
  message: "ConstraintViolation/message",
};

interface Property {
  name: string;
  description: string;
  schema: JsonSchema;
  readable: boolean;
  writable: boolean;
  required: boolean;
  /** The class of the items that it refers to or holds. */
  target: AnyResource | null;
  /** Refers by IRI, rather than holding the items themselves. */
  isLink: boolean;
}

/** What a resource's JSON holds, and what may be sent to the calls that answer with it. */
function propertiesOf({ operations, resources }: Model, resource: AnyResource): Property[] {
  const read = jsonSchemaOf(resource.schema).properties ?? {};
  const written: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const operation of operations) {
    if (resourceOf(operation)?.name !== resource.name) continue;
    const body = bodySchemaOf(operation);
    if (!body) continue;
    const schema = jsonSchemaOf(body);
    Object.assign(written, schema.properties);
    if (operation.verb === "POST") for (const name of schema.required ?? []) required.add(name);
  }
  const embedded = resource.embedded();
  const byPath = new Map([...resources.values()].map((target) => [target.path, target]));
  return Object.entries({ ...read, ...onlyIn(written, read) }).map(([name, schema]) => {
    const relation = relationOf(schema) ?? relationOf(written[name] ?? {});
    const embeddedTarget = embedded[name];
    const target =
      embeddedTarget ?? (relation ? byPath.get(`/api/${relation}`) : undefined) ?? null;
    return {
      name,
      description: schema.description ?? "",
      schema,
      readable: name in read,
      writable: name in written,
      required: required.has(name),
      target,
      isLink: target !== null && embeddedTarget === undefined,
    };
  });
}

function onlyIn<T>(some: Record<string, T>, others: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(some).filter(([name]) => !(name in others)));
}

function relationOf(schema: JsonSchema): string | undefined {
  const { schema: plain } = withoutNull(schema);
  return schema["x-relation"] ?? plain["x-relation"] ?? plain.items?.["x-relation"];
}

/** `GET /api/docs.jsonld`: the Hydra documentation of every class and its operations. */
export function apiDocumentation(index: ApiIndex): Node {
  const model = modelOf(index);
  return {
    "@context": {
      ...PREFIXES,
      rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
      rdfs: "http://www.w3.org/2000/01/rdf-schema#",
      xmls: "http://www.w3.org/2001/XMLSchema#",
      owl: "http://www.w3.org/2002/07/owl#",
      schema: "https://schema.org/",
      domain: { "@id": "rdfs:domain", "@type": "@id" },
      range: { "@id": "rdfs:range", "@type": "@id" },
      subClassOf: { "@id": "rdfs:subClassOf", "@type": "@id" },
      expects: { "@id": "hydra:expects", "@type": "@id" },
      returns: { "@id": "hydra:returns", "@type": "@id" },
    },
    "@id": DOCS_PATH,
    "@type": "hydra:ApiDocumentation",
    "hydra:title": SHOP_NAME,
    "hydra:description": `L'API de la boutique ${SHOP_NAME}.`,
    "hydra:entrypoint": ENTRYPOINT_PATH,
    "hydra:supportedClass": [
      ...[...model.resources.values()].flatMap((resource) => classesOf(model, resource)),
      entrypointClass(model),
      ...ERROR_CLASSES,
    ],
  };
}

function classesOf(model: Model, resource: AnyResource): Node[] {
  const id = `#${resource.name}`;
  return [
    {
      "@id": id,
      "@type": "hydra:Class",
      "rdfs:label": resource.name,
      "hydra:title": resource.name,
      "hydra:description": resource.description,
      "hydra:supportedProperty": propertiesOf(model, resource).map((property) =>
        supportedProperty(id, property),
      ),
      "hydra:supportedOperation": itemOperations(model, resource),
    },
    // One that is a resource of its own has its own class.
    ...resource.subclasses
      .filter((name) => !model.resources.has(name))
      .map((name) => ({
        "@id": `#${name}`,
        "@type": "hydra:Class",
        "rdfs:label": name,
        "hydra:title": name,
        subClassOf: id,
      })),
  ];
}

function supportedProperty(domain: string, property: Property): Node {
  const { name, description, required, readable, writable, schema, target, isLink } = property;
  const range = target ? `#${target.name}` : rangeOf(schema);
  const isList = withoutNull(schema).schema.type === "array";
  return {
    "@type": "hydra:SupportedProperty",
    "hydra:property": {
      "@id": `${domain}/${name}`,
      "@type": isLink ? "hydra:Link" : "rdf:Property",
      "rdfs:label": name,
      domain,
      ...(range !== null && { range }),
      ...(target && !isList && { "owl:maxCardinality": 1 }),
    },
    "hydra:title": name,
    "hydra:description": description,
    "hydra:required": required,
    "hydra:readable": readable,
    "hydra:writeable": writable,
  };
}

/** The XML Schema type of a value; null for maps and objects, which have none. */
function rangeOf(schema: JsonSchema): string | null {
  const { type, format, items } = withoutNull(schema).schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "array":
      return items ? rangeOf(items) : null;
    case "integer":
      return "xmls:integer";
    case "number":
      return "xmls:decimal";
    case "boolean":
      return "xmls:boolean";
    case "string":
      if (format === "date-time") return "xmls:dateTime";
      return format === "date" ? "xmls:date" : "xmls:string";
    default:
      return null;
  }
}

const ACTIONS: Partial<Record<Verb, string>> = {
  GET: "schema:FindAction",
  POST: "schema:CreateAction",
  PUT: "schema:ReplaceAction",
  PATCH: "schema:UpdateAction",
  DELETE: "schema:DeleteAction",
};

function operationNode(operation: Operation, { returns, expects }: Record<string, string>): Node {
  const { verb, definition } = operation;
  return {
    "@type": ["hydra:Operation", ACTIONS[verb]],
    "hydra:method": verb,
    "hydra:title": definition.summary,
    "rdfs:label": definition.summary,
    ...(definition.description && { "hydra:description": definition.description }),
    ...(expects && { expects }),
    returns,
  };
}

/** The operations on one item. */
function itemOperations({ operations }: Model, resource: AnyResource): Node[] {
  const id = `#${resource.name}`;
  return operations
    .filter(({ path }) => resource.path !== null && path === `${resource.path}/{id}`)
    .map((operation) =>
      operationNode(operation, {
        returns: operation.verb === "DELETE" ? "owl:Nothing" : id,
        ...(bodySchemaOf(operation) && { expects: id }),
      }),
    );
}

function entrypointClass({ collections, operations }: Model): Node {
  return {
    "@id": "#Entrypoint",
    "@type": "hydra:Class",
    "hydra:title": "Entrypoint",
    "hydra:description": "Le point d'entrée de l'API",
    "hydra:supportedProperty": collections.map(({ key, path, resource }) => {
      const id = `#${resource.name}`;
      return {
        "@type": "hydra:SupportedProperty",
        "hydra:property": {
          "@id": `#Entrypoint/${key}`,
          "@type": "hydra:Link",
          domain: "#Entrypoint",
          "rdfs:label": key,
          "rdfs:range": [
            { "@id": "hydra:Collection" },
            {
              "owl:equivalentClass": {
                "owl:onProperty": { "@id": "hydra:member" },
                "owl:allValuesFrom": { "@id": id },
              },
            },
          ],
          "hydra:supportedOperation": operations
            .filter((operation) => operation.path === path && ACTIONS[operation.verb])
            .map((operation) =>
              operationNode(operation, {
                returns: operation.verb === "GET" ? "hydra:Collection" : id,
                ...(bodySchemaOf(operation) && { expects: id }),
              }),
            ),
        },
        "hydra:title": key,
        "hydra:description": resource.description,
        "hydra:readable": true,
        "hydra:writeable": false,
      };
    }),
    "hydra:supportedOperation": {
      "@type": "hydra:Operation",
      "hydra:method": "GET",
      "hydra:title": "Lire le point d'entrée",
      "rdfs:label": "Lire le point d'entrée",
      returns: "#Entrypoint",
    },
  };
}

function plainClass(name: string, properties: Record<string, string>): Node {
  return {
    "@id": `#${name}`,
    "@type": "hydra:Class",
    "rdfs:label": name,
    "hydra:title": name,
    "hydra:supportedProperty": Object.entries(properties).map(([property, range]) => ({
      "@type": "hydra:SupportedProperty",
      "hydra:property": {
        "@id": `#${name}/${property}`,
        "@type": "rdf:Property",
        "rdfs:label": property,
        domain: `#${name}`,
        range,
      },
      "hydra:title": property,
      "hydra:readable": true,
      "hydra:writeable": false,
    })),
  };
}

const ERROR_CLASSES = [
  plainClass("ConstraintViolation", { propertyPath: "xmls:string", message: "xmls:string" }),
  {
    ...plainClass("ConstraintViolationList", { violations: "#ConstraintViolation" }),
    subClassOf: "hydra:Error",
  },
];
