import type { IncomingMessage } from "node:http";
import { ApiError } from "@/sandbox/cards/api-error";
import type { Caller } from "@/sandbox/cards/call";
import type { FormHash } from "@/sandbox/cards/form";

const SECRET_KEY = /^[sr]k_test_\w+$/;
const PUBLISHABLE_KEY = /^pk_test\w*$/;

function refuse(message: string): never {
  throw new ApiError({
    status: 401,
    type: "invalid_request_error",
    message,
    headers: { "WWW-Authenticate": 'Bearer realm="Stripe"' },
  });
}

/** Enough to recognise a key by, too little to use it. */
function masked(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}***${key.slice(-4)}`;
}

/** The key of the header, be it as a bearer or as a user's name. */
function keyOfHeader(header: string | undefined): string | undefined {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  return Buffer.from(value, "base64").toString("utf8").split(":")[0];
}

/**
 * Who calls, by their key: any test key will do. Browsers may send theirs as the parameter `key`.
 *
 * @throws ApiError 401 without a usable key, 403 for a secret key in a browser
 */
export function identify(request: IncomingMessage, form: FormHash): Caller {
  const key = keyOfHeader(request.headers.authorization);
  if (key === undefined) {
    const inForm = form.get("key");
    if (typeof inForm === "string" && PUBLISHABLE_KEY.test(inForm)) return "publishable";
    return refuse(
      "Clé d'API absente. Donnez-la dans l'en-tête Authorization (Bearer sk_test_…), ou une clé publique dans le paramètre key.",
    );
  }
  if (PUBLISHABLE_KEY.test(key)) return "publishable";
  if (!SECRET_KEY.test(key))
    refuse(
      `Clé d'API incorrecte : ${masked(key)}. Cette démonstration accepte les clés de test (sk_test_…, pk_test_…).`,
    );
  if (request.headers.origin !== undefined)
    throw new ApiError({
      status: 403,
      type: "invalid_request_error",
      message: "Une clé secrète n'a rien à faire dans un navigateur : employez une clé publique.",
    });
  return "secret";
}

export function secretKeyRequired(): ApiError {
  return new ApiError({
    status: 403,
    type: "invalid_request_error",
    code: "secret_key_required",
    message: "Cet appel demande une clé secrète, et non une clé publique.",
  });
}
