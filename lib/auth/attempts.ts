import { createHash } from "node:crypto";
import { isFailure } from "@/lib/errors";
import { type RateLimiter, rateLimiter } from "@/lib/http/rate-limit";

/** Whose attempt, and from where. */
export interface Attempt {
  /** An e-mail address as typed, known or not, or a user's id. */
  account: string | number;
  /** The client's network (lib/http/client-address.ts). */
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
 * simultaneous ones cannot slip through; a success takes its own count back and forgets the
 * account's failures. The network's failures stay: with an account of one's own one could go on
 * trying everybody else's for ever.
 */
class AttemptLimiter {
  private readonly accounts: RateLimiter;
  private readonly networks: RateLimiter;

  constructor({ name, perAccount, perNetwork, duration }: AttemptLimit) {
    this.accounts = rateLimiter({ name: `${name}-account`, points: perAccount, duration });
    this.networks = rateLimiter({ name: `${name}-network`, points: perNetwork, duration });
  }

  /** Counts an attempt; throws the 429 where there were too many. */
  async begin({ account, network }: Attempt): Promise<void> {
    await this.networks.consume(network);
    await this.accounts.consume(keyOf(account));
  }

  /**
   * Counts an attempt and makes it. One that a fault of the shop's own has ended says nothing of who
   * made it, and is not counted: an outage must not lock anybody out.
   *
   * @throws 429 where there were too many, and what `make` throws
   */
  async during<T>(attempt: Attempt, make: () => Promise<T>): Promise<T> {
    await this.begin(attempt);
    try {
      return await make();
    } catch (error) {
      const isRefusal = isFailure(error) && error.kind !== "unavailable";
      if (!isRefusal) await this.withdraw(attempt);
      throw error;
    }
  }

  private async withdraw({ account, network }: Attempt): Promise<void> {
    await Promise.all([this.networks.refund(network), this.accounts.refund(keyOf(account))]);
  }

  async succeed({ account, network }: Attempt): Promise<void> {
    await Promise.all([this.networks.refund(network), this.forget(account)]);
  }

  /** Lets somebody in again who has proven by other means to be the account's owner. */
  async forget(account: Attempt["account"]): Promise<void> {
    await this.accounts.reset(keyOf(account));
  }
}

/**
 * The limits' store, which may be another machine, need not know anybody's address. Letters are made
 * small one by one, as PostgreSQL does when it looks for the account: "İ" is an "i" there, and not two.
 */
function keyOf(account: string | number): string {
  const small = Array.from(String(account), (letter) => Array.from(letter.toLowerCase())[0]);
  return createHash("sha256").update(small.join("")).digest("base64url");
}

export const loginAttempts = new AttemptLimiter({
  name: "login",
  perAccount: 10,
  perNetwork: 50,
  duration: 15 * MINUTE,
});

/** Codes, beside the five tries of each temporary token. */
export const codeAttempts = new AttemptLimiter({
  name: "code",
  perAccount: 10,
  perNetwork: 50,
  duration: HOUR,
});

/** Requests of a link for a new password: the account's mailbox is not to be flooded. */
export const resetRequests = new AttemptLimiter({
  name: "reset",
  perAccount: 5,
  perNetwork: 20,
  duration: HOUR,
});

/** New passwords sent with a link's token; the account is not known before the token is. */
export const resetAttempts = rateLimiter({ name: "reset-token", points: 30, duration: HOUR });

/** Registrations, those refused for an e-mail in use included: they say who has an account. */
export const registrations = new AttemptLimiter({
  name: "register",
  perAccount: 5,
  perNetwork: 20,
  duration: HOUR,
});

/** New passwords on the profile page, per user: each costs a hash and a mail. */
export const passwordChanges = rateLimiter({ name: "new-password", points: 10, duration: HOUR });
