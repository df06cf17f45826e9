import { hash, verify } from "@node-rs/argon2";

/**
 * argon2id (the package's default kind) at the cost that OWASP's password storage cheat sheet
 * recommends: 19 MiB, two passes, one lane; some 20 ms on a small server. The cost is written into
 * each hash, so that older ones stay valid when it is raised.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Unicode normalisation: depending on the keyboard "é" is one code point or two. */
const canonical = (password: string) => password.normalize("NFKC");

/** The text to store: algorithm, cost, a random salt and the digest. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password), COST);
}

let decoy: Promise<string> | undefined;

/**
 * Verifies a password. Without a hash (no such account) the result is false after the same work: the
 * duration must not reveal who has an account.
 */
export async function verifyPassword({
  hash: stored,
  password,
}: {
  hash: string | null;
  password: string;
}): Promise<boolean> {
  if (stored === null) {
    decoy ??= hashPassword("nobody's password");
    await verify(await decoy, canonical(password));
    return false;
  }
  try {
    return await verify(stored, canonical(password));
  } catch {
    // Not a hash at all: no password matches it.
    return false;
  }
}
