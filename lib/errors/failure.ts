/**
 * The errors that domain code may throw, with their status and title in the API (lib/http/api/problem.ts);
 * pages may catch them by kind. Anything else that is thrown is a bug and becomes a 500 without details.
 */
export const FAILURES = {
  badRequest: { status: 400, title: "Requête incorrecte" },
  unauthorized: { status: 401, title: "Authentification requise" },
  paymentRequired: { status: 402, title: "Paiement requis" },
  forbidden: { status: 403, title: "Accès refusé" },
  notFound: { status: 404, title: "Introuvable" },
  methodNotAllowed: { status: 405, title: "Méthode non permise" },
  notAcceptable: { status: 406, title: "Format non disponible" },
  timeout: { status: 408, title: "Délai dépassé" },
  conflict: { status: 409, title: "Conflit" },
  tooLarge: { status: 413, title: "Contenu trop volumineux" },
  unsupportedType: { status: 415, title: "Type de contenu non accepté" },
  violations: { status: 422, title: "Données non valables" },
  tooMany: { status: 429, title: "Trop de requêtes" },
  unavailable: { status: 503, title: "Service indisponible" },
};

export type FailureKind = keyof typeof FAILURES;

/**
 * One broken rule. `propertyPath` is the field's name in the payload (`items[0].quantity`), "" for the
 * whole payload.
 */
export interface Violation {
  propertyPath: string;
  message: string;
}

export class Failure extends Error {
  readonly violations: readonly Violation[];
  /** Seconds until it is worth trying again. */
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Further members of the response's body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: FailureKind,
    message: string,
    more: Partial<Pick<Failure, "violations" | "retryAfter" | "headers" | "details">> = {},
  ) {
    super(message);
    this.name = "Failure";
    this.violations = more.violations ?? [];
    this.retryAfter = more.retryAfter;
    this.headers = more.headers;
    this.details = more.details ?? {};
  }
}

/**
 * The `type` of the 403 that asks for a password or a code first; the body's `reauthentication` says which
 * of the two.
 */
export const REAUTHENTICATION_REQUIRED = "/api/errors/reauthentication-required";

/** Is it a refusal of the given kind (or of any kind)? */
export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

function violations(list: readonly Violation[]): Failure {
  const lines = list.map(({ propertyPath, message }) =>
    propertyPath === "" ? message : `${propertyPath}: ${message}`,
  );
  return new Failure("violations", lines.join("\n"), { violations: list });
}

/** Creates failures; the caller throws them: `throw fail.notFound()`. */
export const fail = {
  badRequest: (text = "La requête n'est pas valable.") => new Failure("badRequest", text),
  /** 401: no session, or one that ended. */
  unauthorized: (text = "Votre session a expiré. Veuillez vous reconnecter.") =>
    new Failure("unauthorized", text),
  paymentRequired: (text = "Le paiement n'a pas abouti.") => new Failure("paymentRequired", text),
  forbidden: (text = "Vous n'avez pas le droit d'effectuer cette action.") =>
    new Failure("forbidden", text),
  /** 403 for a sensitive change by a session whose password or code was given too long ago. */
  reauthenticationRequired: (reauthentication: "password" | "code") =>
    new Failure("forbidden", "Pour votre sécurité, confirmez d'abord votre identité.", {
      details: { type: REAUTHENTICATION_REQUIRED, reauthentication },
    }),
  notFound: (text = "Élément introuvable.") => new Failure("notFound", text),
  methodNotAllowed: (allow: string) =>
    new Failure(
      "methodNotAllowed",
      `Cette méthode n'est pas permise à cette adresse. Méthodes permises : ${allow}.`,
      { headers: { Allow: allow } },
    ),
  notAcceptable: () =>
    new Failure(
      "notAcceptable",
      "Aucun des formats demandés n'est disponible. Formats disponibles : application/ld+json, application/json.",
    ),
  /** 408: the rest of the request does not arrive. The connection cannot be used again. */
  timeout: () =>
    new Failure("timeout", "La suite de votre envoi n'est pas arrivée. Réessayez.", {
      headers: { Connection: "close" },
    }),
  conflict: (text: string, details?: Record<string, unknown>) =>
    new Failure("conflict", text, details && { details }),
  tooLarge: (text: string) => new Failure("tooLarge", text),
  unsupportedType: (text: string) => new Failure("unsupportedType", text),
  /** 422 with one broken rule. */
  violation: (propertyPath: string, message: string) => violations([{ propertyPath, message }]),
  /** 422 with several broken rules. */
  violations,
  /** 429; `retryAfter` in seconds. */
  tooMany: ({ retryAfter, text }: { retryAfter: number; text?: string }) =>
    new Failure(
      "tooMany",
      text ?? `Trop de tentatives. Réessayez dans ${durationText(retryAfter)}.`,
      { retryAfter },
    ),
  unavailable: (text = "Le service est momentanément indisponible. Réessayez dans un instant.") =>
    new Failure("unavailable", text, { retryAfter: 5 }),
};

/** A duration in French: "45 secondes", "2 minutes". */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return whole === 1 ? "1 seconde" : `${whole} secondes`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "1 heure" : `${hours} heures`;
}

/** Returns the row. @throws Failure with 404 if there is none */
export function requireRow<T>(row: T | null): T {
  if (row === null) throw fail.notFound();
  return row;
}
