import { expect, test } from "@playwright/test";
import { describeDatabaseError } from "./database";

const errorWith = (message: string, facts: object) => Object.assign(new Error(message), facts);

test("the host name of an unknown server is not shown: it may be a part of the password", () => {
  const error = errorWith("getaddrinfo ENOTFOUND s3cret", { code: "ENOTFOUND" });
  expect(describeDatabaseError(error)).toBe(
    "La base de données de DATABASE_URL ne répond pas : aucun serveur n'a ce nom (ENOTFOUND). Dans le mot de passe, les signes comme @ # / : % s'écrivent %40 %23 %2F %3A %25.",
  );
  const refused = errorWith("connect ECONNREFUSED s3cret:5432", { code: "ECONNREFUSED" });
  expect(describeDatabaseError(refused)).toBe(
    "La base de données de DATABASE_URL ne répond pas : ECONNREFUSED.",
  );
});

test("an untrusted certificate is named", () => {
  const error = errorWith("Hostname/IP does not match", { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  expect(describeDatabaseError(error)).toContain(
    "son certificat TLS n'est pas valable pour cette adresse (ERR_TLS_CERT_ALTNAME_INVALID)",
  );
});

test("a failed migration shows PostgreSQL's message, not the statement", () => {
  const cause = errorWith("could not access file", { code: "58P01", severity: "ERROR" });
  expect(
    describeDatabaseError(new Error("Failed query: CREATE EXTENSION unaccent", { cause })),
  ).toBe(
    "La base de données de DATABASE_URL refuse la mise à jour : could not access file (58P01). Rien n'est modifié.",
  );
  expect(describeDatabaseError(new Error("something else"))).toBeNull();
});
