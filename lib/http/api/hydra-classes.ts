import {
  type Model,
  type Node,
  type Property,
  propertiesOf,
} from "@/lib/http/api/hydra-properties";
import { type JsonSchema, withoutNull } from "@/lib/http/api/json-schema";
import { bodySchemaOf, type Operation } from "@/lib/http/api/operations";
import type { AnyResource } from "@/lib/http/api/resource";
import type { Verb } from "@/lib/http/api/verbs";

export function classesOf(model: Model, resource: AnyResource): Node[] {
  const id = `#${resource.name}`;
  return [
    {
      ...classNode(resource.name),
      "hydra:description": resource.description,
      "hydra:supportedProperty": propertiesOf(model, resource).map((property) =>
        supportedProperty(id, property),
      ),
      "hydra:supportedOperation": itemOperations(model, resource),
    },
    // One that is a resource of its own has its own class.
    ...resource.subclasses
      .filter((name) => !model.resources.has(name))
      .map((name) => ({ ...classNode(name), subClassOf: id })),
  ];
}

const classNode = (name: string): Node => ({
  "@id": `#${name}`,
  "@type": "hydra:Class",
  "rdfs:label": name,
  "hydra:title": name,
});

function supportedProperty(domain: string, property: Property): Node {
  const { name, description, required, readable, writable, schema, target, isLink } = property;
  const range = target ? `#${target.name}` : rangeOf(schema);
  const isList = withoutNull(schema).type === "array";
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
  const { type, format, items } = withoutNull(schema);
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

/** @param expects the class of its body, if it takes one */
function operationNode(operation: Operation, { returns, expects }: Record<string, string>): Node {
  const { verb, definition } = operation;
  return {
    "@type": ["hydra:Operation", ACTIONS[verb]],
    "hydra:method": verb,
    "hydra:title": definition.summary,
    "rdfs:label": definition.summary,
    ...(definition.description && { "hydra:description": definition.description }),
    ...(bodySchemaOf(operation) && { expects }),
    returns,
  };
}

/** The operations on one item. */
function itemOperations({ operations }: Model, resource: AnyResource): Node[] {
  const id = `#${resource.name}`;
  return operations
    .filter(({ path }) => resource.path !== null && path === `${resource.path}/{id}`)
    .map((operation) => {
      const returns = operation.verb === "DELETE" ? "owl:Nothing" : id;
      return operationNode(operation, { returns, expects: id });
    });
}

export function entrypointClass({ collections, operations }: Model): Node {
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
            .map((operation) => {
              const returns = operation.verb === "GET" ? "hydra:Collection" : id;
              return operationNode(operation, { returns, expects: id });
            }),
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
    ...classNode(name),
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

export const ERROR_CLASSES = [
  plainClass("ConstraintViolation", { propertyPath: "xmls:string", message: "xmls:string" }),
  {
    ...plainClass("ConstraintViolationList", { violations: "#ConstraintViolation" }),
    subClassOf: "hydra:Error",
  },
];
