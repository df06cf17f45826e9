import { expect, test } from "@playwright/test";
import { describeDatabaseError } from "./database";

const described = (message: string, facts: object) =>
  describeDatabaseError(Object.assign(new Error(message), facts));

test("a database that does not answer is described without what may be a part of the password", () => {
  expect(described("getaddrinfo ENOTFOUND s3cret", { code: "ENOTFOUND" })).toBe(
    "La base de données de DATABASE_URL ne répond pas : aucun serveur n'a ce nom (ENOTFOUND). Dans le mot de passe, les signes comme @ # / : % s'écrivent %40 %23 %2F %3A %25.",
  );
  expect(described("connect ECONNREFUSED s3cret:5432", { code: "ECONNREFUSED" })).toBe(
    "La base de données de DATABASE_URL ne répond pas : ECONNREFUSED.",
  );
  expect(
    described("Hostname/IP does not match", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
  ).toContain(
    "son certificat TLS n'est pas valable pour cette adresse (ERR_TLS_CERT_ALTNAME_INVALID)",
  );
});

test("a failed migration shows PostgreSQL's message, not the statement", () => {
  const refusal = { code: "58P01", severity: "ERROR" };
  const cause = Object.assign(new Error("could not access file"), refusal);
  expect(described("Failed query: CREATE EXTENSION unaccent", { cause })).toBe(
    "La base de données de DATABASE_URL refuse la mise à jour : could not access file (58P01). Rien n'est modifié.",
  );
  expect(described("something else", {})).toBeNull();
});
