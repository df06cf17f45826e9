import { type JsonSchema, oneOfObjects } from "@/lib/http/api/json-schema";
import { ERROR_SCHEMAS, problemResponse } from "@/lib/http/api/openapi-errors";
import { operationOf } from "@/lib/http/api/openapi-operation";
import { HYDRA_COLLECTION, jsonLd, withReferences } from "@/lib/http/api/openapi-schemas";
import { type ApiIndex, listOperations, listResources, viewsOf } from "@/lib/http/api/operations";
import { PROBLEM_TITLES } from "@/lib/http/api/problem";
import { SHOP_NAME } from "@/lib/shop/shop-name";

const DESCRIPTION = `L'API de la boutique ${SHOP_NAME}.

Les réponses sont en JSON-LD avec Hydra (\`application/ld+json\`), ou en JSON simple pour qui le demande (\`Accept: application/json\`). Les refus sont toujours du JSON (\`application/problem+json\`), en français. Les appels protégés attendent le jeton donné par \`POST /api/login_check\` : \`Authorization: Bearer …\`.`;

/** `GET /api/docs.json`: the OpenAPI 3.1 document, made from the routes' own declarations. */
export function openApi(index: ApiIndex) {
  const operations = listOperations(index);
  const resources = listResources(operations);
  const views = new Map(
    [...resources.values()].map((resource) => [resource, viewsOf(resource, operations)]),
  );
  // A resource that is a part of another one of the same name has no schema of its own.
  const documented = new Set([...views.values()].flat());
  const schemas: Record<string, JsonSchema> = {};
  for (const [resource, forms] of views) {
    const plain = forms.map((form) => withReferences(form, { suffix: "", documented }));
    const ld = forms.map((form) => jsonLd(form, documented));
    const { name, description } = resource;
    schemas[name] = { ...oneOfObjects(plain), description };
    schemas[`${name}.jsonld`] = { ...oneOfObjects(ld), description };
  }
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const operation of operations) {
    const verb = operation.verb.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [verb]: operationOf(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: SHOP_NAME, version: "1.0.0", description: DESCRIPTION },
    servers: [{ url: "/" }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas, HydraCollection: HYDRA_COLLECTION, ...ERROR_SCHEMAS },
      responses: {
        ...Object.fromEntries(
          Object.entries(PROBLEM_TITLES).map(([status, title]) => [
            `Refusal${status}`,
            problemResponse(Number(status), title),
          ]),
        ),
        Refusal: problemResponse(
          500,
          "Tout autre refus : 403 pour la page d'un site que CORS_ORIGINS ne nomme pas, 429, 500, 503",
        ),
      },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "Le jeton de la session, donné par POST /api/login_check",
        },
        scheduler: {
          type: "http",
          scheme: "bearer",
          description: "Le secret du planificateur (CRON_SECRET)",
        },
      },
    },
  };
}
