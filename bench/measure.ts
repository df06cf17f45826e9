import autocannon from "autocannon";

// How everything is measured. Absolute figures depend on the machine and its load, so whatever is compared is
// measured in turns within one run, after a round that does not count (V8 optimises, caches fill), and the
// median of the rounds is kept.

const ROUNDS = 3;

/** What was measured, and what it is compared with. */
export interface Row {
  name: string;
  unit: string;
  shop: readonly number[];
  /** As many figures. */
  other: readonly number[];
}

/** Rows that are compared with the same kind of thing. */
export interface Part {
  title: string;
  rows: readonly Row[];
}

/** What the given share of the numbers does not exceed. */
export function quantileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Measures all subjects in turn, several times. @returns the median of each, in their order */
export async function mediansInTurn(
  subjects: readonly (() => Promise<number>)[],
): Promise<number[]> {
  const results = subjects.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, measure] of subjects.entries()) {
      const result = await measure();
      if (round > 0) results[i]?.push(result);
    }
  return results.map((numbers) => quantileOf(numbers, 0.5));
}

/**
 * Makes the n-th request of two sides in turn, some requests at once. @returns milliseconds within which half of
 * the responses came, and all but a hundredth, for both sides
 */
export async function timesInTurn<Side>({
  sides,
  request,
  count,
  atOnce,
}: {
  sides: readonly [Side, Side];
  request: (side: Side, n: number) => Promise<unknown>;
  count: number;
  atOnce: number;
}): Promise<[number[], number[]]> {
  const timeOf = async (side: Side, n: number) => {
    const begin = performance.now();
    await request(side, n);
    return performance.now() - begin;
  };
  const batch = (side: Side, first: number) =>
    Promise.all(Array.from({ length: atOnce }, (_, i) => timeOf(side, first + i)));
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.max(5, atOnce);
  for (let n = 0; n < warmUp + count; n += atOnce) {
    const results = [await batch(sides[0], n), await batch(sides[1], n)] as const;
    if (n < warmUp) continue;
    times[0].push(...results[0]);
    times[1].push(...results[1]);
  }
  const quantiles = (numbers: number[]) => [quantileOf(numbers, 0.5), quantileOf(numbers, 0.99)];
  return [quantiles(times[0]), quantiles(times[1])];
}

/** Lets clients act again and again for a while. @returns acts per second */
export async function ratePerSecond<Client>({
  clients,
  seconds,
  act,
}: {
  clients: readonly Client[];
  seconds: number;
  act: (client: Client) => Promise<unknown>;
}): Promise<number> {
  let acts = 0;
  const begin = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() - begin < seconds * 1_000; acts++) await act(client);
    }),
  );
  return (acts * 1_000) / (performance.now() - begin);
}

/**
 * Requests that autocannon prepares for all connections: while it prepares them it reads no response, and counts
 * that as the server's time.
 */
const MAX_PREPARED = 20_000;

/** Requests the paths in turn over some connections, as fast as possible, from the given path on. */
export async function runLoad({
  origin,
  paths,
  first,
  connections,
  seconds,
}: {
  origin: string;
  paths: readonly string[];
  first: number;
  connections: number;
  seconds: number;
}): Promise<{ requests: number; perSecond: number }> {
  const length = Math.ceil(Math.min(paths.length, MAX_PREPARED) / connections);
  const headers = { "Accept-Encoding": "gzip" };
  let client = first;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    // The connections take turns, so that none requests what another one does.
    setupClient: (connection) => {
      const from = client++;
      const path = (n: number) => paths[(from + n * connections) % paths.length] ?? "/";
      connection.setRequests(
        Array.from({ length }, (_, n) => ({ method: "GET", path: path(n), headers })),
      );
    },
  });
  if (result["4xx"] + result["5xx"] + result.errors + result.timeouts > 0)
    throw new Error(`Requests failed: ${paths[0]} and others.`);
  const requests = result["2xx"] + result.non2xx;
  return { requests, perSecond: requests / result.duration };
}

/** Three significant digits. */
function formatFigure(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** Prints all parts as one table: names left-aligned, figures right-aligned. */
export function printTable(parts: readonly Part[]): void {
  const cells = ({ name, unit, shop, other }: Row) => {
    const ratios = shop.map((value, i) => value / (other[i] ?? Number.NaN));
    const [own, others, ratio] = [shop, other, ratios].map((figures) =>
      figures.map(formatFigure).join(" / "),
    );
    return [`  ${name}`, `${own} ${unit}`, `${others} ${unit}`, `${ratio}`];
  };
  const lines = [["", "measured", "beside", "ratio"]];
  for (const { title, rows } of parts) lines.push([title], ...rows.map(cells));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.filter(({ length }) => length > 1).map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const padded = line.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    console.log(padded.join("   ").trimEnd());
  }
}
