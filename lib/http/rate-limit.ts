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
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/per-process";

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
  /** Gives all points of a key back. */
  reset(key: string): Promise<void>;
}

interface Stores {
  limiters: Map<string, RateLimiterAbstract>;
  redis: Redis | null | undefined;
  /** Settles when Redis has answered or failed: attempts before that would be counted in this process alone. */
  isConnected: Promise<unknown> | undefined;
}

const stores = perProcess<Stores>("rate-limits", () => ({
  limiters: new Map(),
  redis: undefined,
  isConnected: undefined,
}));

function redis(): Redis | null {
  if (stores.redis !== undefined) return stores.redis;
  const url = env().REDIS_URL;
  if (!url) {
    stores.redis = null;
    return null;
  }
  // Without a queue a command fails at once while Redis is down, and the memory takes over.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    // A Redis that does not respond is down, too.
    commandTimeout: 500,
    socketTimeout: 3_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
  });
  stores.isConnected = once(client, "ready").catch(() => undefined);
  let isDown = false;
  client.on("error", (error) => {
    if (!isDown) log.warn({ err: error }, "Redis is away: rate limits are counted in this process");
    isDown = true;
  });
  client.on("ready", () => {
    isDown = false;
  });
  stores.redis = client;
  return client;
}

async function limiterOf(limit: RateLimit): Promise<RateLimiterAbstract> {
  const limiter = stores.limiters.get(limit.name) ?? createLimiter(limit);
  await stores.isConnected;
  return limiter;
}

function createLimiter({ name, points, duration }: RateLimit): RateLimiterAbstract {
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

/** A rate limiter; the environment is read at its first use. */
export function rateLimiter(limit: RateLimit): RateLimiter {
  return {
    async consume(key) {
      try {
        await (await limiterOf(limit)).consume(key);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      }
    },
    async refund(key) {
      await (await limiterOf(limit)).reward(key, 1);
    },
    async reset(key) {
      await (await limiterOf(limit)).delete(key);
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes) {
  return fail.tooMany({ retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
