import type { Page, PageRequest } from "@/lib/http/api/paging";
import type { QueryReader, RawQuery } from "@/lib/http/api/query";

/** Parameters that say which part of a list is wanted, not what is in it. */
const PAGING_FIELDS = new Set(["page", "itemsPerPage"]);

/**
 * The `hydra:view` of a list: links to the other pages that keep the filters. Null for the only
 * page of a list without parameters.
 */
export function hydraView({
  path,
  raw,
  request,
  page,
}: {
  path: string;
  raw: RawQuery;
  request: PageRequest;
  page: Page<unknown>;
}): Record<string, string> | null {
  const current = request.page;
  const last = lastPage(request, page);
  const type = "hydra:PartialCollectionView";
  if (last <= 1 && current === 1) {
    return raw.filters === "" ? null : { "@id": `${path}?${raw.filters}`, "@type": type };
  }
  const base = raw.filters === "" ? `${path}?page=` : `${path}?${raw.filters}&page=`;
  const view: Record<string, string> = {
    "@id": `${base}${current}`,
    "@type": type,
    "hydra:first": `${base}1`,
    "hydra:last": `${base}${last}`,
  };
  // From beyond the end one comes back to the last page, not to another empty one.
  if (current > 1) view["hydra:previous"] = `${base}${Math.min(current - 1, last)}`;
  if (request.itemsPerPage > 0 && (page.hasNext ?? current < last))
    view["hydra:next"] = `${base}${current + 1}`;
  return view;
}

function lastPage({ page, itemsPerPage }: PageRequest, { total, hasNext, items }: Page<unknown>) {
  if (itemsPerPage === 0) return 1;
  const counted = Math.max(1, Math.ceil(total / itemsPerPage));
  // An estimated total must not contradict what was seen.
  if (hasNext === true) return Math.max(counted, page + 1);
  if (hasNext === false && items.length > 0) return page;
  return counted;
}

/** The `hydra:search` of a collection: the IRI template of its filters. */
export function hydraSearch(path: string, reader: QueryReader | null): Record<string, unknown> {
  // A template cannot name lists by names that it does not know.
  const filters = (reader?.fields ?? []).filter(
    ({ name, isNamedLists }) => !PAGING_FIELDS.has(name) && !isNamedLists,
  );
  const variables = filters.map(({ name, isList }) => (isList ? `${name}[]` : name));
  return {
    "@type": "hydra:IriTemplate",
    "hydra:template": variables.length === 0 ? path : `${path}{?${variables.join(",")}}`,
    "hydra:variableRepresentation": "BasicRepresentation",
    "hydra:mapping": filters.map(({ name, property }, index) => ({
      "@type": "IriTemplateMapping",
      variable: variables[index],
      property: property ?? name,
      required: false,
    })),
  };
}
