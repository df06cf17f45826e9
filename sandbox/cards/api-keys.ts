import type { IncomingMessage } from "node:http";
import type { Caller } from "@/sandbox/cards/api-call";
import { ApiError } from "@/sandbox/cards/api-error";

const SECRET_KEY = /^sk_test_\w+$/;
const PUBLISHABLE_KEY = /^pk_test\w*$/;

function refusal(status: 401 | 403, message: string, code?: string): ApiError {
  return new ApiError({ status, type: "invalid_request_error", message, ...(code && { code }) });
}

/**
 * Authenticates the caller by any test key. Browsers send theirs as the parameter `key`.
 *
 * @throws ApiError 401 without a valid key, 403 for a secret key in a browser
 */
export function authenticate(request: IncomingMessage, form: URLSearchParams): Caller {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (PUBLISHABLE_KEY.test(bearer ?? form.get("key") ?? "")) return "publishable";
  if (bearer === undefined || !SECRET_KEY.test(bearer))
    throw refusal(
      401,
      "Clé d'API absente ou incorrecte. Cette démonstration accepte les clés de test (sk_test_…, pk_test_…).",
    );
  if (request.headers.origin !== undefined)
    throw refusal(
      403,
      "Une clé secrète n'a rien à faire dans un navigateur : employez une clé publique.",
    );
  return "secret";
}

export function secretKeyRequired(): ApiError {
  const message = "Cet appel demande une clé secrète, et non une clé publique.";
  return refusal(403, message, "secret_key_required");
}
