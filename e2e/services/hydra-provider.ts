import path from "node:path";
import { pathToFileURL } from "node:url";

// API Platform's data provider for react-admin. package.json replaces `react-admin` by `ra-core`, which
// has all that the provider needs, without components. So this file imports the provider's file instead
// of the package.

const FOLDER = path.resolve("node_modules/@api-platform/admin/lib/hydra");
const load = async (file: string) =>
  (await import(pathToFileURL(path.join(FOLDER, file)).href)).default;

export interface Item {
  /** The item's IRI. */
  id: string;
  originId: string;
  [field: string]: unknown;
}

interface Many {
  data: Item[];
  total: number;
}

interface One {
  data: Item;
}

interface Listing {
  pagination: { page: number; perPage: number };
  sort: { field: string; order: "ASC" | "DESC" };
  filter: object;
}

export interface HydraProvider {
  introspect(): Promise<{ data: { resources: { name: string }[] } }>;
  getList(resource: string, params: Listing): Promise<Many>;
  getMany(resource: string, params: { ids: string[] }): Promise<{ data: Item[] }>;
  getManyReference(
    resource: string,
    params: Listing & { target: string; id: string },
  ): Promise<Many>;
  getOne(resource: string, params: { id: string }): Promise<One>;
  create(resource: string, params: { data: object }): Promise<One>;
  update(
    resource: string,
    params: { id: string; data: object; previousData: object },
  ): Promise<One>;
  delete(resource: string, params: { id: string }): Promise<unknown>;
}

export interface HydraRefusal extends Error {
  status: number;
  body: unknown;
}

/** The errors that a react-admin form shows for a refused request, by field. */
export async function submissionErrors(refusal: HydraRefusal | null) {
  const schemaAnalyzer = await load("schemaAnalyzer.js");
  return schemaAnalyzer().getSubmissionErrors(refusal) as Record<string, string> | null;
}

export async function createHydraProvider({
  baseURL,
  token,
}: {
  baseURL: string;
  token: string;
}): Promise<HydraProvider> {
  const [dataProvider, fetchHydra] = await Promise.all([
    load("dataProvider.js"),
    load("fetchHydra.js"),
  ]);
  const global = globalThis as { window?: unknown };
  // The provider resolves the entry point against the address of its page.
  global.window = { location: { href: baseURL } };
  try {
    return dataProvider({
      entrypoint: `${baseURL}/api`,
      mercure: false,
      httpClient: (url: URL, options: RequestInit = {}) =>
        fetchHydra(url, {
          ...options,
          headers: { ...options.headers, Authorization: `Bearer ${token}` },
        }),
    });
  } finally {
    delete global.window;
  }
}
