import { expect, test } from "@playwright/test";
import { storedFormsOf } from "@/lib/auth/email-forms";
import { canonicalEmail, isEmail } from "@/lib/text/email";

test("a domain beyond ASCII is kept in its ASCII form", () => {
  for (const [typed, kept] of [
    ["x@société.test", "x@xn--socit-esab.test"],
    ["x@SOCIÉTÉ.test", "x@xn--socit-esab.test"],
    ["x@société.test".normalize("NFD"), "x@xn--socit-esab.test"],
    ["x@пример.рф", "x@xn--e1afmkfd.xn--p1ai"],
    ["x@उदाहरण.परीक्षा", "x@xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"],
  ] as const) {
    expect(canonicalEmail(typed), typed).toBe(kept);
    expect(isEmail(kept), kept).toBe(true);
    expect(canonicalEmail(kept), kept).toBe(kept);
  }
});

test("every other text stays as it is", () => {
  const letters = Array.from({ length: 20_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  for (const text of [
    "Zoe.Durand@Exemple.FR",
    "",
    "société.test",
    "7",
    "x@",
    "x@exemple.fr, y@société.test",
    "x@société.test/chemin",
    "x@société.test:80",
    "x@xn--a\u00df.7",
    // Converting this address would take half a second.
    `x@${letters.join("")}.fr`,
  ])
    expect(canonicalEmail(text), text.slice(0, 40)).toBe(text);
});

test("letters beyond ASCII whose other case is an ASCII letter are refused", () => {
  expect(isEmail("kim@exemple.fr")).toBe(true);
  expect(isEmail("\u212aim@exemple.fr")).toBe(false);
  expect(isEmail("so\u017f@exemple.fr")).toBe(false);
  expect(isEmail("x@exemple.XN--P1AI")).toBe(true);
});

test("an address that was stored before normalisation is found, too", () => {
  const forms = ["x@xn--socit-esab.test", "x@société.test"];
  expect(storedFormsOf("x@société.test")).toEqual(forms);
  expect(storedFormsOf("x@XN--SOCIT-ESAB.test")).toEqual(["x@XN--SOCIT-ESAB.test", forms[1]]);
  expect(storedFormsOf("x@exemple.fr")).toEqual(["x@exemple.fr"]);
  expect(storedFormsOf("x@xn--a.test")).toEqual(["x@xn--a.test"]);
});
