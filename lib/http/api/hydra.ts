import { DOCS_PATH } from "@/lib/http/api/docs-link";
import { classesOf, ERROR_CLASSES, entrypointClass } from "@/lib/http/api/hydra-classes";
import { type Model, type Node, propertiesOf } from "@/lib/http/api/hydra-properties";
import {
  type ApiIndex,
  collectionPathOf,
  listOperations,
  listResources,
} from "@/lib/http/api/operations";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const ENTRYPOINT_PATH = "/api";

const PREFIXES = {
  "@vocab": `${DOCS_PATH}#`,
  hydra: "http://www.w3.org/ns/hydra/core#",
};

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
};

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
