import type { IncomingMessage } from "node:http";
import type { Caller } from "@/sandbox/cards/api-call";
import { ApiError } from "@/sandbox/cards/api-error";
import type { FormHash } from "@/sandbox/cards/form";

const SECRET_KEY = /^[sr]k_test_\w+$/;
const PUBLISHABLE_KEY = /^pk_test\w*$/;

function unauthorized(message: string): never {
  throw new ApiError({
    status: 401,
    type: "invalid_request_error",
    message,
    headers: { "WWW-Authenticate": 'Bearer realm="Stripe"' },
  });
}

/** Shows enough of a key to recognise it. */
function maskKey(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}***${key.slice(-4)}`;
}

/** The key from the Authorization header: a bearer token, or the user name of Basic. */
function keyFromHeader(header: string | undefined): string | undefined {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+)$/.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return undefined;
  return Buffer.from(value, "base64").toString("utf8").split(":")[0];
}

/**
 * Authenticates the caller by any test key. Browsers may send theirs as the parameter `key`.
 *
 * @throws ApiError 401 without a valid key, 403 for a secret key in a browser
 */
export function authenticate(request: IncomingMessage, form: FormHash): Caller {
  const key = keyFromHeader(request.headers.authorization);
  if (key === undefined) {
    const inForm = form.get("key");
    if (typeof inForm === "string" && PUBLISHABLE_KEY.test(inForm)) return "publishable";
    return unauthorized(
      "Clé d'API absente. Donnez-la dans l'en-tête Authorization (Bearer sk_test_…), ou une clé publique dans le paramètre key.",
    );
  }
  if (PUBLISHABLE_KEY.test(key)) return "publishable";
  if (!SECRET_KEY.test(key))
    unauthorized(
      `Clé d'API incorrecte : ${maskKey(key)}. Cette démonstration accepte les clés de test (sk_test_…, pk_test_…).`,
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
