import * as category from "@/app/api/categories/[id]/route";
import * as categories from "@/app/api/categories/route";
import * as contact from "@/app/api/contact/route";
import * as context from "@/app/api/contexts/[name]/route";
import * as outbox from "@/app/api/cron/outbox/route";
import * as docs from "@/app/api/docs/route";
import * as openApi from "@/app/api/docs.json/route";
import * as hydraDocs from "@/app/api/docs.jsonld/route";
import * as home from "@/app/api/home/route";
import * as product from "@/app/api/products/[id]/route";
import * as products from "@/app/api/products/route";
import * as entrypoint from "@/app/api/route";
import * as tag from "@/app/api/tags/[id]/route";
import * as tags from "@/app/api/tags/route";

/**
 * Every route of the API by group (the documentation's headings) and path: what the Hydra and the
 * OpenAPI documentation are made from. A test compares it with the files below app/api.
 */
export const API_INDEX = {
  Catalogue: {
    "/api/products": products,
    "/api/products/{id}": product,
    "/api/categories": categories,
    "/api/categories/{id}": category,
    "/api/tags": tags,
    "/api/tags/{id}": tag,
    "/api/home": home,
  },
  Contact: {
    "/api/contact": contact,
  },
  Exploitation: {
    "/api/cron/outbox": outbox,
  },
  Documentation: {
    "/api": entrypoint,
    "/api/contexts/{name}": context,
    "/api/docs": docs,
    "/api/docs.json": openApi,
    "/api/docs.jsonld": hydraDocs,
  },
};
