import { expect, test } from "@playwright/test";
import { formatSiren, formatVatNumber, isSiren, isVatNumber, missingToSell } from "./rules";

test("seller and terms are required before real cards are charged", () => {
  const seller = {
    legalName: "Les Tisserands SARL",
    address: ["9 quai du Lin", "59100 Roubaix"],
    siren: "552 081 317",
    terms: "# Prix",
  };
  expect(missingToSell(seller)).toEqual([]);
  expect(missingToSell({ ...seller, terms: "" })).toEqual(["les conditions générales de vente"]);
  expect(missingToSell({ legalName: "", address: [], siren: "", terms: "" })).toEqual([
    "la raison sociale",
    "l’adresse",
    "le SIREN",
    "les conditions générales de vente",
  ]);
});

test("a SIREN has nine digits with a valid checksum", () => {
  // The first two are the SIRENs of the SNCF and of EDF, from their legal notices.
  for (const siren of ["552 049 447", "552081317", "123 456 782"])
    expect(isSiren(siren), siren).toBe(true);
  for (const siren of ["", "552 049 448", "12345678", "1234567820", "abcdefghi", "-23456782"])
    expect(isSiren(siren), siren).toBe(false);
  expect(formatSiren("552081317")).toBe("552 081 317");
  expect(formatSiren("552 081 317")).toBe("552 081 317");
});

test("a French VAT number is the SIREN's, with its key; others have their country's shape", () => {
  const siren = "552 081 317";
  for (const vatNumber of ["FR03552081317", "fr 03 552 081 317", "FRAB552081317", "DE123456789"])
    expect(isVatNumber({ vatNumber, siren }), vatNumber).toBe(true);
  for (const vatNumber of ["", "FR04552081317", "FR03552049447", "FR0355208131", "03552081317"])
    expect(isVatNumber({ vatNumber, siren }), vatNumber).toBe(false);
  expect(isVatNumber({ vatNumber: "FR03552081317", siren: null })).toBe(true);
  expect(isVatNumber({ vatNumber: "FR04552081317", siren: null })).toBe(false);
  expect(formatVatNumber("fr 03 552 081 317")).toBe("FR03 552081317");
  expect(formatVatNumber("de123456789")).toBe("DE123456789");
});
