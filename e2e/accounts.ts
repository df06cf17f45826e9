import { expect } from "@playwright/test";
import { generateSync } from "otplib";
import { DEFAULT_PASSWORD } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";
import type { Api } from "./api-client";
import type { Mail } from "./mailbox";

// Shared by tests of accounts: shapes of responses, sessions, codes.

export interface Refusal {
  status: number;
  code?: number;
  message?: string;
  error: string;
  violations: { propertyPath: string; message: string }[];
  errors: Record<string, string>;
}

export interface Login {
  token: string;
  userId: number;
  userName: string;
  userLastName: string;
  roles: string[];
}

let lastNumber = 0;

/** An e-mail address that no other test uses. */
export function newEmail(name = "cliente"): string {
  lastNumber += 1;
  return `${name}-${process.pid}-${lastNumber}@exemple.test`;
}

/** The bearer token of a session, as the login would issue it. */
export function tokenOf(user: {
  id: number;
  roles: string[];
  sessionVersion: number;
}): Promise<string> {
  return issueToken({ user, type: "access" });
}

/** The bearer token of a session whose password or code was given eleven minutes ago. */
export function staleTokenOf(user: Parameters<typeof tokenOf>[0]): Promise<string> {
  const authenticatedAt = Math.floor(Date.now() / 1000) - 11 * 60;
  return issueToken({ user, type: "access", authenticatedAt });
}

/** Logs in by password, and expects that no code is needed. */
export async function logIn({
  api,
  email,
  password = DEFAULT_PASSWORD,
}: {
  api: Api;
  email: string;
  password?: string;
}): Promise<Login> {
  const json = { username: email, password };
  const answer = await api.post<Login>("/api/login_check", { json });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Whether the API still accepts the token. */
export async function isOpen({ api, token }: { api: Api; token: string }): Promise<boolean> {
  const { status } = await api.get("/api/account", { token });
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** The code that the authenticator app shows now, or `steps` times 30 seconds later. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
}

export interface Activation {
  qrCodeUrl: string;
  secret: string;
  recoveryCodes: string[];
}

/** Activates two-factor, with a code of the current time step. */
export async function turnTwoFactorOn({
  api,
  token,
}: {
  api: Api;
  token: string;
}): Promise<Activation> {
  const activation = await api.post<Activation>("/api/2fa/activate", { token });
  expect(activation.status, activation.text).toBe(200);
  const json = { code: codeOf(activation.json.secret) };
  const tested = await api.post("/api/2fa/verify", { token, json });
  expect(tested.json).toEqual({ valid: true });
  return activation.json;
}

/** The token in the mail's link to this page. */
export function tokenInMail({ mail, page }: { mail: Mail; page: string }): string {
  const [, token] = new RegExp(`/${page}[/=]([\\w-]{43})`).exec(mail.text) ?? [];
  if (!token) throw new Error(`No link to /${page} in: ${mail.text}`);
  return token;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
