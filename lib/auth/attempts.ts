import { createHash } from "node:crypto";
import { canonicalEmail } from "@/lib/email";
import { isFailure } from "@/lib/errors";
import { type RateLimiter, rateLimiter } from "@/lib/http/rate-limit";

/** The account and the network of an attempt. */
export interface Attempt {
  /** An e-mail address as typed, known or not, or a user's id. */
  account: string | number;
  /** The client's network (lib/http/server/client-ip.ts). */
  network: string;
}

interface AttemptLimit {
  name: string;
  /** Attempts on one account, wherever they come from. */
  perAccount: number;
  /** Attempts from one network, on whatever accounts. */
  perNetwork: number;
  /** Seconds. */
  duration: number;
}

const MINUTE = 60;
const HOUR = 3600;

/**
 * Limits attempts per account and per network. An attempt is counted before it is made, so that
 * concurrent ones cannot slip through; a success refunds itself and resets the account's failures.
 * The network's failures stay: an attacker could reset them by logging in to an account of their own.
 */
class AttemptLimiter {
  private readonly accounts: RateLimiter;
  private readonly networks: RateLimiter;

  constructor({ name, perAccount, perNetwork, duration }: AttemptLimit) {
    this.accounts = rateLimiter({ name: `${name}-account`, points: perAccount, duration });
    this.networks = rateLimiter({ name: `${name}-network`, points: perNetwork, duration });
  }

  /** Counts an attempt. @throws 429 after too many */
  async consume({ account, network }: Attempt): Promise<void> {
    await this.networks.consume(network);
    await this.accounts.consume(keyOf(account));
  }

  /**
   * Counts an attempt and makes it. One that fails by the shop's own fault is refunded: an outage must
   * not lock anybody out.
   *
   * @throws 429 after too many, and what `make` throws
   */
  async run<T>(attempt: Attempt, make: () => Promise<T>): Promise<T> {
    await this.consume(attempt);
    try {
      return await make();
    } catch (error) {
      const isRefusal = isFailure(error) && error.kind !== "unavailable";
      if (!isRefusal) await this.refund(attempt);
      throw error;
    }
  }

  private async refund({ account, network }: Attempt): Promise<void> {
    await Promise.all([this.networks.refund(network), this.accounts.refund(keyOf(account))]);
  }

  async succeed({ account, network }: Attempt): Promise<void> {
    await Promise.all([this.networks.refund(network), this.reset(account)]);
  }

  /** For somebody who has proven by other means to be the account's owner. */
  async reset(account: Attempt["account"]): Promise<void> {
    await this.accounts.reset(keyOf(account));
  }
}

/**
 * A digest, so that the store of the limits holds no e-mail addresses. Characters are lower-cased one
 * by one, as PostgreSQL does when it looks up the account: "İ" becomes "i" there, not two characters.
 */
function keyOf(account: string | number): string {
  const small = Array.from(
    canonicalEmail(String(account)),
    (letter) => Array.from(letter.toLowerCase())[0],
  );
  return createHash("sha256").update(small.join("")).digest("base64url");
}

export const loginAttempts = new AttemptLimiter({
  name: "login",
  perAccount: 10,
  perNetwork: 50,
  duration: 15 * MINUTE,
});

/** Codes, in addition to the five tries of each temporary token. */
export const codeAttempts = new AttemptLimiter({
  name: "code",
  perAccount: 10,
  perNetwork: 50,
  duration: HOUR,
});

/** Requests for a reset link: the account's mailbox must not be flooded. */
export const resetRequests = new AttemptLimiter({
  name: "reset",
  perAccount: 5,
  perNetwork: 20,
  duration: HOUR,
});

/** New passwords with a link's token, per network: the account is not known yet. */
export const resetAttempts = rateLimiter({ name: "reset-token", points: 30, duration: HOUR });

/** Registrations, including those refused for an e-mail in use: they reveal who has an account. */
export const registrations = new AttemptLimiter({
  name: "register",
  perAccount: 5,
  perNetwork: 20,
  duration: HOUR,
});

/** New passwords on the profile page, per user: each costs a hash and a mail. */
export const passwordChanges = rateLimiter({ name: "new-password", points: 10, duration: HOUR });
