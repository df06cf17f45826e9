import { expect, test } from "@playwright/test";
import { z } from "zod";
import { frenchIssue } from "@/lib/http/api/french-issues";
import { jsonSchemaOf } from "@/lib/http/api/json-schema";
import { singleLine, textField } from "@/lib/text/text-field";
import { REQUIRED } from "@/lib/text/texts";

const form = z.object({
  city: textField({ description: "Ville", required: "Quelle ville ?", maxLength: 5 }),
  note: textField({
    description: "Note",
    maxLength: 20,
    clean: (text) => text,
    allowsBidiControls: true,
  }),
});

function problemsOf(input: unknown): Record<string, string> {
  const { error } = form.safeParse(input, { error: frenchIssue });
  return Object.fromEntries(
    error?.issues.map(({ path, message }) => [path.join("."), message]) ?? [],
  );
}

test("a single-line text loses its line breaks, a raw text is kept", () => {
  expect(form.parse({ city: " Le\r\n\tPu ", note: " a  b " })).toEqual({
    city: "Le Pu",
    note: " a  b ",
  });
  expect(singleLine("\u00a0a\u2028b\u0007c ")).toBe("a b c");
  expect(singleLine("👩‍👧 a\u00adb")).toBe("👩‍👧 a\u00adb");
});

test("a missing text is empty, and an empty text is refused only if it is required", () => {
  const invisible = ["\u200b", "\u2060 \u00ad", "\u200e\ufeff", "\u3164", "\u2800\u2800"];
  for (const city of [undefined, null, "", " \n ", ...invisible])
    expect(problemsOf({ city })).toEqual({ city: "Quelle ville ?" });
  expect(form.parse({ city: "Lyon" })).toEqual({ city: "Lyon", note: "" });
});

test("a number is refused as a text, and the length is counted in characters", () => {
  expect(problemsOf({ city: 69003 })).toEqual({ city: "Ce champ doit être un texte." });
  expect(problemsOf({ city: "Lyons!" })).toEqual({
    city: "Ce champ doit contenir au plus 5 caractères.",
  });
  expect(problemsOf({ city: "😀😀😀😀😀" })).toEqual({});
});

test("only a text of several lines may contain bidirectional control characters", () => {
  const controls = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
  for (const control of controls)
    expect(problemsOf({ city: `a${control}b` })).toEqual({
      city: "Ce texte contient un caractère invisible qui change le sens de lecture. Effacez-le, puis saisissez-le de nouveau.",
    });
  // Arabic with a direction mark, which does not affect other text.
  expect(problemsOf({ city: "تونس\u200f" })).toEqual({});
  expect(problemsOf({ city: "Lyon", note: "\u202bتونس\u202c" })).toEqual({});
});

test("the JSON schema contains length, description and required fields", () => {
  expect(jsonSchemaOf(form)).toMatchObject({
    required: ["city", "note"],
    properties: { city: { type: "string", minLength: 1, maxLength: 5, description: "Ville" } },
  });
  expect(REQUIRED).toBe("Ce champ est obligatoire.");
});
