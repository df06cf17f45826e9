import { createHash } from "node:crypto";
import { RESET_LINKS_SENT } from "@/lib/auth/texts";
import { fail, isFailure } from "@/lib/errors/failure";
import { type RateLimiter, rateLimiter } from "@/lib/http/rate-limit";
import { RESET_LIFETIME } from "@/lib/mail/link-lifetimes";
import { canonicalEmail } from "@/lib/text/email";

/** Where an attempt comes from. */
export interface Source {
  /** The client's network (lib/http/server/network.ts). */
  network: string;
  /** The device, if it has logged in to this account before: device.ts. */
  device: string | null;
}

interface Attempt extends Partial<Source> {
  /** An e-mail address as typed, known or not, or a user's id. */
  account: string | number;
  network: string;
}

interface AttemptLimit {
  name: string;
  /** Attempts on one account: by all unknown devices together, and by each known device. */
  perAccount: number;
  /** Attempts from one network, on any account. */
  perNetwork: number;
  /** Seconds. */
  duration: number;
  /** The sentence for an account without attempts left, instead of the usual one. */
  refusal?: string;
}

const MINUTE = 60;
const HOUR = 3600;

/**
 * Limits attempts per account and per network. An attempt is counted before it is made, so that concurrent
 * attempts cannot slip through. A success refunds itself and resets the account's failures. The network's
 * failures stay: an attacker could reset them by logging in to an account of their own.
 *
 * Attempts of a device that has logged in to the account before are counted for this device only, so that
 * the failures of others do not lock it out.
 */
class AttemptLimiter {
  private readonly accounts: RateLimiter;
  private readonly networks: RateLimiter;
  private readonly devices: RateLimiter;
  private readonly refusal: string | undefined;

  constructor({ name, perAccount, perNetwork, duration, refusal }: AttemptLimit) {
    this.refusal = refusal;
    this.accounts = rateLimiter({ name: `${name}-account`, points: perAccount, duration });
    this.devices = rateLimiter({ name: `${name}-device`, points: perAccount, duration });
    this.networks = rateLimiter({ name: `${name}-network`, points: perNetwork, duration });
  }

  /** Counts an attempt. @throws 429 after too many */
  async consume({ account, network, device }: Attempt): Promise<void> {
    if (device) return this.devices.consume(device);
    await this.networks.consume(network);
    try {
      await this.accounts.consume(accountKey(account));
    } catch (error) {
      if (this.refusal === undefined || !isFailure(error, "tooMany")) throw error;
      throw fail.tooMany({ retryAfter: error.retryAfter ?? 1, text: this.refusal });
    }
  }

  /**
   * Counts an attempt and makes it. An attempt that fails by the shop's own fault is refunded: an outage
   * must not lock anybody out.
   *
   * @throws 429 after too many, and any error of `make`
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

  private async refund({ account, network, device }: Attempt): Promise<void> {
    if (device) return this.devices.refund(device);
    await Promise.all([this.networks.refund(network), this.accounts.refund(accountKey(account))]);
  }

  async succeed({ account, network, device }: Attempt): Promise<void> {
    if (device) return this.devices.reset(device);
    await Promise.all([this.networks.refund(network), this.reset(account)]);
  }

  /** Resets an account's failures, for a user who has proven by other means to be its owner. */
  async reset(account: Attempt["account"]): Promise<void> {
    await this.accounts.reset(accountKey(account));
  }
}

/**
 * A digest, so that the store of the limits holds no e-mail addresses. Characters are lower-cased one
 * by one, as PostgreSQL does when it looks up the account: "İ" becomes "i" there, not two characters.
 */
export function accountKey(account: string | number): string {
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

/**
 * Requests for a reset link: the account's mailbox must not be flooded. The limit lasts no longer than
 * a link is valid (RESET_LIFETIME): while it refuses, the owner can use the newest link in the mailbox.
 */
export const resetRequests = new AttemptLimiter({
  name: "reset",
  perAccount: 5,
  perNetwork: 20,
  duration: RESET_LIFETIME,
  refusal: RESET_LINKS_SENT,
});

/** Wrong tokens of mailed links, per network: the account is not known yet. */
const wrongLinks = rateLimiter({ name: "mailed-link", points: 30, duration: HOUR });

/** The token of a mailed link, and the network that it is sent from. */
export interface LinkAttempt {
  token: string;
  network: string;
}

/**
 * Tries the token of a mailed link; only wrong tokens count. An attempt is counted before it is made, so
 * that concurrent attempts cannot slip through.
 *
 * @param make tries the token; for a wrong one it returns false or throws the refusal
 * @throws 429 after too many, and any error of `make`
 */
export async function tryLink<T>(
  { token, network }: LinkAttempt,
  make: (token: string) => Promise<T>,
): Promise<T> {
  await wrongLinks.consume(network);
  let isWrong = false;
  try {
    const result = await make(token);
    isWrong = result === false;
    return result;
  } catch (error) {
    isWrong = isFailure(error) && error.kind !== "unavailable";
    throw error;
  } finally {
    if (!isWrong) await wrongLinks.refund(network);
  }
}

/** Registrations, including those refused for an e-mail in use: they reveal who has an account, and send mails. */
export const registrations = new AttemptLimiter({
  name: "register",
  perAccount: 5,
  perNetwork: 20,
  duration: HOUR,
});

/** New passwords on the profile page, per user: each costs a hash and a mail. */
export const passwordChanges = rateLimiter({ name: "new-password", points: 10, duration: HOUR });
