import { expect, test } from "@playwright/test";
import { z } from "zod";
import { resource } from "@/lib/http/api/resource";

interface Row {
  id: number;
  kind: "book" | "file";
  notes: Record<string, string>;
}

const label = resource({
  name: "Label",
  path: "/api/labels",
  description: "Étiquette",
  schema: z.object({ id: z.int(), name: z.string() }),
  toJson: (row: { id: number; name: string }) => row,
});

const line = resource({
  name: "Line",
  path: null,
  description: "Ligne",
  schema: z.object({ quantity: z.int(), label: label.schema.nullable() }),
  embedded: () => ({ label }),
  toJson: (row: { quantity: number; label: { id: number; name: string } | null }) => row,
});

const thing = resource({
  name: "Thing",
  path: "/api/things",
  description: "Chose",
  subclasses: ["Book", "Download"],
  schema: z.object({
    id: z.int(),
    kind: z.enum(["book", "file"]),
    notes: z.record(z.string(), z.string()),
    labels: z.array(label.schema),
    lines: z.array(line.schema),
    missing: label.schema.nullable(),
  }),
  typeOf: ({ kind }) => (kind === "book" ? "Book" : "Download"),
  embedded: () => ({ labels: label, lines: line, missing: label }),
  toJson: (row: Row) => ({
    ...row,
    labels: [{ id: 3, name: "a" }],
    lines: [
      { quantity: 2, label: { id: 4, name: "b" } },
      { quantity: 1, label: null },
    ],
    missing: null,
  }),
});

const row: Row = { id: 7, kind: "file", notes: { "@note": "x", "hydra:y": "z" } };

test("JSON-LD names the item, its class and every item within it", () => {
  expect(thing.toLd(row)).toEqual({
    "@id": "/api/things/7",
    "@type": "Download",
    id: 7,
    kind: "file",
    notes: { "@note": "x", "hydra:y": "z" },
    labels: [{ "@id": "/api/labels/3", "@type": "Label", id: 3, name: "a" }],
    lines: [
      {
        "@type": "Line",
        quantity: 2,
        label: { "@id": "/api/labels/4", "@type": "Label", id: 4, name: "b" },
      },
      { "@type": "Line", quantity: 1, label: null },
    ],
    missing: null,
  });
});

test("plain JSON has no JSON-LD keys, except in data of people", () => {
  const text = JSON.stringify(thing.toJson(row));
  expect(text).not.toMatch(/"@(id|type|context)"/);
  expect(thing.toJson(row).notes).toEqual(row.notes);
});
