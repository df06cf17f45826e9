import { expect, test } from "@playwright/test";
import { hasPostalPrefix, type PostalZone, postalZoneOf } from "./postal-zones";

const PLACES: readonly [string, string, PostalZone | null][] = [
  ["01000", "Bourg-en-Bresse", "mainland"],
  ["21000", "Dijon", "mainland"],
  ["69003-1234", "Lyon", "mainland"],
  ["75116", "Paris", "mainland"],
  ["95000", "Cergy", "mainland"],
  ["19100", "Brive", "mainland"],
  ["20000", "Ajaccio", "corsica"],
  ["20600", "Bastia", "corsica"],
  ["97062", "Saint-Martin CEDEX", "collectivities"],
  ["97100", "Basse-Terre", "guadeloupe"],
  ["97133", "Saint-Barthélemy", "collectivities"],
  ["97150", "Saint-Martin", "collectivities"],
  ["97190", "Le Gosier", "guadeloupe"],
  ["97200", "Fort-de-France", "martinique"],
  ["97300", "Cayenne", "guiana"],
  ["97400", "Saint-Denis", "reunion"],
  ["97744", "Saint-Denis CEDEX 9", "reunion"],
  ["97822", "Saint-Denis CEDEX", "reunion"],
  ["97500", "Saint-Pierre-et-Miquelon", "collectivities"],
  ["97600", "Mamoudzou", "mayotte"],
  ["98000", "Monaco", "monaco"],
  ["98413", "Port-aux-Français", "collectivities"],
  ["98600", "Wallis", "collectivities"],
  ["98714", "Papeete", "collectivities"],
  ["98800", "Nouméa", "collectivities"],
  ["00805", "Armées", "army"],
  ["96000", "nowhere", null],
  ["99123", "abroad", null],
  ["", "nothing", null],
  ["1000 Bruxelles", "abroad", null],
];

test("each postal code has its zone", () => {
  expect(PLACES.map(([code, place]) => [code, place, postalZoneOf(code)])).toEqual(PLACES);
});

test("a prefix is any number of first digits, or a whole code", () => {
  expect(hasPostalPrefix("69003", ["75", "69"])).toBe(true);
  expect(hasPostalPrefix("69003-1234", ["69003"])).toBe(true);
  expect(hasPostalPrefix("69003", ["69004", "03"])).toBe(false);
  expect(hasPostalPrefix("69003", [])).toBe(false);
  expect(hasPostalPrefix("Lyon", ["69"])).toBe(false);
});
