import { once } from "node:events";
import Redis from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { log } from "@/lib/http/log";

export interface RateLimit {
  /** Limits of the same name share their counts. */
  name: string;
  /** How many within `duration`. RATE_LIMIT_SCALE multiplies it. */
  points: number;
  /** Seconds. */
  duration: number;
}

/**
 * Counts per key (an address, an e-mail …). To count failures only, `consume` before the attempt,
 * so that simultaneous attempts cannot slip through, and give the point back when it succeeds:
 * `refund` one, or `reset` all.
 */
export interface RateLimiter {
  /** Takes a point; throws the 429 where none is left. */
  consume(key: string): Promise<void>;
  /** Gives one point back. */
  refund(key: string): Promise<void>;
  /** Forgets everything about a key. */
  reset(key: string): Promise<void>;
}

interface Stores {
  limiters: Map<string, RateLimiterAbstract>;
  redis: Redis | null | undefined;
  /** Settles when it is known whether Redis is there: what came before would be counted here alone. */
  isKnown: Promise<unknown> | undefined;
}

// Next.js may load this module once per bundle; the counts must be one per process.
const STORES = Symbol.for("mini-ecommerce.rate-limits");
const global = globalThis as { [STORES]?: Stores };
global[STORES] ??= { limiters: new Map(), redis: undefined, isKnown: undefined };
const stores: Stores = global[STORES];

function redis(): Redis | null {
  if (stores.redis !== undefined) return stores.redis;
  const url = env().REDIS_URL;
  if (!url) {
    stores.redis = null;
    return null;
  }
  // Without a queue a command fails at once while Redis is away, and the memory takes over.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    // One that is silent, rather than gone, is away as well.
    commandTimeout: 500,
    socketTimeout: 3_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
  });
  stores.isKnown = once(client, "ready").catch(() => undefined);
  let isAway = false;
  client.on("error", (error) => {
    if (!isAway) log.warn({ err: error }, "Redis is away: rate limits are counted in this process");
    isAway = true;
  });
  client.on("ready", () => {
    isAway = false;
  });
  stores.redis = client;
  return client;
}

async function store(limit: RateLimit): Promise<RateLimiterAbstract> {
  const limiter = stores.limiters.get(limit.name) ?? makeStore(limit);
  await stores.isKnown;
  return limiter;
}

function makeStore({ name, points, duration }: RateLimit): RateLimiterAbstract {
  const options = {
    keyPrefix: `rate-limit:${name}`,
    points: Math.max(1, Math.round(points * env().RATE_LIMIT_SCALE)),
    duration,
  };
  const memory = new RateLimiterMemory(options);
  const client = redis();
  const limiter = client
    ? new RateLimiterRedis({ ...options, storeClient: client, insuranceLimiter: memory })
    : memory;
  stores.limiters.set(name, limiter);
  return limiter;
}

/** A limit to be used by domain code; the environment is read at its first use. */
export function rateLimiter(limit: RateLimit): RateLimiter {
  return {
    async consume(key) {
      try {
        await (await store(limit)).consume(key);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      }
    },
    async refund(key) {
      await (await store(limit)).reward(key, 1);
    },
    async reset(key) {
      await (await store(limit)).delete(key);
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes) {
  return fail.tooMany({ retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
