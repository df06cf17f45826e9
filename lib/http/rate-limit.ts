import { once } from "node:events";
import type { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";

export interface RateLimit {
  /** Limits of the same name share their counts. */
  name: string;
  /** How many within `duration`. RATE_LIMIT_SCALE multiplies it. */
  points: number;
  /** Seconds. */
  duration: number;
}

/**
 * The connection to Redis, once it has answered or failed: attempts before that would be counted in this
 * process alone. Without REDIS_URL there is none, and its client is not loaded.
 */
const redis = () =>
  perProcess("rate-limit-redis", async (): Promise<Redis | null> => {
    const url = env().REDIS_URL;
    if (!url) return null;
    const { default: Redis } = await import("ioredis");
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
    let isDown = false;
    client.on("error", (error) => {
      if (!isDown)
        log.warn({ err: error }, "Redis is away: rate limits are counted in this process");
      isDown = true;
    });
    client.on("ready", () => {
      isDown = false;
    });
    await once(client, "ready").catch(() => undefined);
    return client;
  });

async function limiterOf({ name, points, duration }: RateLimit): Promise<RateLimiterAbstract> {
  const client = await redis();
  return perProcess<RateLimiterAbstract>(`rate-limit:${name}`, () => {
    const options = {
      keyPrefix: `rate-limit:${name}`,
      points: Math.max(1, Math.round(points * env().RATE_LIMIT_SCALE)),
      duration,
    };
    const memory = new RateLimiterMemory(options);
    if (!client) return memory;
    return new RateLimiterRedis({ ...options, storeClient: client, insuranceLimiter: memory });
  });
}

export type RateLimiter = ReturnType<typeof rateLimiter>;

/**
 * Counts per key (an address, an e-mail …); the environment is read at its first use. To count failures only, `consume`
 * before the attempt, so that simultaneous attempts cannot slip through, and give the point back when it succeeds:
 * `refund` one, or `reset` all.
 */
export function rateLimiter(limit: RateLimit) {
  return {
    /** Takes a point; throws the 429 where none is left. */
    async consume(key: string): Promise<void> {
      try {
        await (await limiterOf(limit)).consume(key);
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      }
    },
    /** Gives one point back. */
    async refund(key: string): Promise<void> {
      await (await limiterOf(limit)).reward(key, 1);
    },
    /** Gives all points of a key back. */
    async reset(key: string): Promise<void> {
      await (await limiterOf(limit)).delete(key);
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes) {
  return fail.tooMany({ retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
