import type { Proof } from "@/lib/browser/session-questions";
import { REAUTHENTICATION_REQUIRED } from "@/lib/errors/failure";

/** The body of an error of the API (lib/http/api/problem.ts), or of another server with its format. */
interface ProblemBody {
  error?: unknown;
  message?: unknown;
  detail?: unknown;
  "hydra:description"?: unknown;
  violations?: unknown;
  errors?: unknown;
  type?: unknown;
  reauthentication?: unknown;
}

interface ApiErrorInit {
  status: number;
  message: string;
  body?: unknown;
  isSessionOver?: boolean;
}

/** A failed call: refused by the shop, failed on the server, or without a response. */
export class ApiError extends Error {
  /** 0 without a response in time: the connection is lost. */
  readonly status: number;
  /** The response's JSON, whatever it is; null without any. */
  readonly body: unknown;
  /** The browser is being redirected to /login: nothing need be shown. */
  readonly isSessionOver: boolean;

  constructor({ status, message, body = null, isSessionOver = false }: ApiErrorInit) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.isSessionOver = isSessionOver;
  }

  /** The API's sentence about the error; empty without one, and for 5xx. */
  get sentence(): string {
    if (this.status >= 500) return "";
    const { error, message, detail, "hydra:description": description } = problemOf(this.body);
    const sentences = [error, message, detail, description];
    return sentences.find((text): text is string => typeof text === "string" && text !== "") ?? "";
  }

  /**
   * Sentences by field of the payload; `general` is about the whole payload. Empty if the response has
   * none.
   */
  get errors(): Record<string, string> {
    const { errors } = problemOf(this.body);
    if (typeof errors !== "object" || errors === null) return {};
    const sentences = Object.entries(errors).map(([field, text]) => [field, String(text)] as const);
    return Object.fromEntries(sentences);
  }

  /** The broken rules, in the order of the response; empty if it names none. */
  get violations(): { propertyPath: string; message: string }[] {
    const { violations } = problemOf(this.body);
    return Array.isArray(violations) ? violations : [];
  }

  /**
   * The broken rules, each with its property; without any, the status with the shop's sentence. Empty for
   * 5xx and a lost connection.
   */
  get details(): string {
    const { status, violations, sentence } = this;
    if (violations.length > 0)
      return violations
        .map(({ propertyPath, message }) => `${propertyPath}: ${message}`)
        .join("\n");
    return sentence && `${status} – ${sentence}`;
  }

  /** Why the shop refused, in sentences; empty for 5xx and a lost connection. */
  get reason(): string {
    const broken = this.violations.map(({ message }) => message);
    return broken.join("\n") || this.sentence;
  }

  /** The proof that the shop demands before a sensitive change; null for any other error. */
  get neededProof(): Proof | null {
    const { type, reauthentication } = problemOf(this.body);
    if (this.status !== 403 || type !== REAUTHENTICATION_REQUIRED) return null;
    return reauthentication === "code" ? "code" : "password";
  }

  /**
   * A sentence that replaces the screen's own, since it says what to do: how long to wait, or to give a
   * proof. Empty for any other error.
   */
  get instruction(): string {
    return this.isRateLimited || this.neededProof !== null ? this.sentence : "";
  }

  /** 429: the sentence says how long to wait. */
  get isRateLimited(): boolean {
    return this.status === 429;
  }
}

function problemOf(body: unknown): ProblemBody {
  return typeof body === "object" && body !== null ? body : {};
}
