import { expect, test } from "@playwright/test";
import { z } from "zod";
import { isFailure } from "@/lib/errors/failure";
import { fileUpload, readBounded, readJson } from "@/lib/http/api/body";

const post = (body: BodyInit | null, type: string | null = "application/json") =>
  new Request("http://shop.test/api/things", {
    method: "POST",
    body,
    ...(type !== null && { headers: { "content-type": type } }),
    duplex: "half",
  } as RequestInit);

const schema = z.object({ name: z.string(), count: z.int().optional() });

const read = (request: Request, limit = 1000) => readJson({ request, schema, limit });

async function failureOf(reading: Promise<unknown>) {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

test("JSON and JSON-LD are read; other types, and what is no object, are refused", async () => {
  for (const type of ["application/json", "application/ld+json", "application/json; charset=UTF-8"])
    expect(await read(post('{"name":"é","more":1}', type))).toEqual({ name: "é" });
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/merge-patch+json",
  ])
    expect((await failureOf(read(post("{}", type)))).kind, type).toBe("unsupportedType");
  const untyped = post(new Uint8Array([123, 125]), null);
  expect((await failureOf(read(untyped))).kind).toBe("unsupportedType");
  const noUtf8 = new Uint8Array([0x7b, 0xff, 0x7d]);
  for (const body of ["", "{", "{'a':1}", "[]", '"text"', "null", "1", noUtf8])
    expect((await failureOf(read(post(body)))).kind, String(body)).toBe("badRequest");
  expect((await failureOf(read(post(null, null)))).kind).toBe("badRequest");
});

test("too long a body is 413 as soon as that is known, and an endless one is not read to its end", async () => {
  const announced = post("{}");
  announced.headers.set("content-length", "5000");
  expect((await failureOf(read(announced))).kind).toBe("tooLarge");
  expect(await failureOf(read(post("x".repeat(70_000)), 64_000))).toMatchObject({
    kind: "tooLarge",
    message: "Le contenu envoyé est trop volumineux (64 Ko au plus).",
  });
  expect((await readBounded(post("x".repeat(1000)), 1000)).byteLength).toBe(1000);
  expect((await failureOf(readBounded(post("x".repeat(1001)), 1000))).kind).toBe("tooLarge");
  let taken = 0;
  const endless = new ReadableStream({
    pull(controller) {
      taken += 100;
      controller.enqueue(new Uint8Array(100).fill(97));
    },
  });
  expect((await failureOf(read(post(endless)))).kind).toBe("tooLarge");
  expect(taken).toBeLessThan(2000);
});

test("a body in chunks of any length arrives unchanged", async () => {
  const bytes = Uint8Array.from({ length: 30_000 }, (_, index) => index % 251);
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === bytes.length) return controller.close();
      const end = Math.min(bytes.length, sent + (sent < 5_000 ? 1 : 7_919));
      controller.enqueue(bytes.subarray(sent, end));
      sent = end;
    },
  });
  expect(Buffer.from(await readBounded(post(stream), 40_000)).equals(bytes)).toBe(true);
});

test("a body whose client leaves is 408, and no fault of the shop or its database", async () => {
  const error = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  const broken = new ReadableStream({ pull: (controller) => controller.error(error) });
  expect((await failureOf(read(post(broken)))).kind).toBe("timeout");
});

test("violations have their path and a French message", async () => {
  const nested = z.object({
    missing: z.string(),
    name: z.string().min(3),
    items: z.array(z.object({ product: z.int().min(1), quantity: z.number() })),
    ok: z.boolean(),
    kind: z.enum(["a", "b"]),
    mail: z.email(),
    note: z.string().max(2),
  });
  const items = [{ product: 0, quantity: "1" }];
  const body = { name: 3, items, ok: "yes", kind: "c", mail: "x", note: "abc" };
  const request = post(JSON.stringify(body));
  const failure = await failureOf(readJson({ request, schema: nested, limit: 1000 }));
  expect(failure.violations.map(({ propertyPath, message }) => [propertyPath, message])).toEqual([
    ["missing", "Ce champ est obligatoire."],
    ["name", "Ce champ doit être un texte."],
    ["items[0].product", "Ce nombre doit être au moins 1."],
    ["items[0].quantity", "Ce champ doit être un nombre."],
    ["ok", "Ce champ doit être vrai ou faux."],
    ["kind", "Cette valeur n'est pas permise. Valeurs permises : a, b."],
    ["mail", "Cette adresse e-mail n'est pas valide."],
    ["note", "Ce champ doit contenir au plus 2 caractères."],
  ]);
});

test("NUL and lone surrogates are refused in keys and values, however deep", async () => {
  const free = z.object({ list: z.array(z.unknown()).optional(), name: z.string().optional() });
  const depth = 31_000;
  for (const [text, propertyPath] of [
    ['{"name":"a\\u0000b"}', "name"],
    ['{"list":[1,{"a":"\\u0000"}]}', "list[1].a"],
    ['{"a\\u0000":1}', ""],
    [`{"list":${"[".repeat(depth)}"\\u0000"${"]".repeat(depth)}}`, `list${"[0]".repeat(depth)}`],
    ['{"name":"a\\ud83d"}', "name"],
  ] as const) {
    const reading = readJson({ request: post(text), schema: free, limit: 65_536 });
    const message = "Ce texte contient un caractère interdit.";
    expect((await failureOf(reading)).violations).toEqual([{ propertyPath, message }]);
  }
  expect(await read(post('{"name":"\\ud83d\\ude42"}'))).toEqual({ name: "🙂" });
  // An escaped backslash before the same letters is no NUL.
  expect(await read(post('{"name":"\\\\u0000"}'))).toEqual({ name: "\\u0000" });
});

test("keys like __proto__ do not change prototypes", async () => {
  const free = z.object({ map: z.record(z.string(), z.string()) });
  const text = '{"__proto__":{"polluted":"1"},"map":{"__proto__":"x","constructor":"y","a":"b"}}';
  const body = await readJson({ request: post(text), schema: free, limit: 65_536 });
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(body.map)).toBe(Object.prototype);
  expect(body.map.a).toBe("b");
});

test("a file is taken out of its form, up to its limit", async () => {
  const reader = fileUpload({ field: "file", limit: 1000, description: "Image" });
  const upload = async (name: string, bytes: number) => {
    const data = new FormData();
    data.append(name, new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" }));
    // As bytes: Node.js 24 goes on filling the stream of a FormData that is refused.
    const form = new Response(data);
    return post(await form.arrayBuffer(), form.headers.get("content-type"));
  };
  expect(await reader.read(await upload("file", 900))).toMatchObject({
    name: "photo.png",
    size: 900,
    type: "image/png",
  });
  for (const [request, refusal] of [
    [await upload("file", 1001), { kind: "tooLarge" }],
    [await upload("file", 100_000), { kind: "tooLarge" }],
    [
      await upload("other", 10),
      { violations: [{ propertyPath: "file", message: "Veuillez choisir un fichier." }] },
    ],
    [post("{}"), { kind: "unsupportedType" }],
    [post("x", "multipart/form-data; boundary=y"), { kind: "badRequest" }],
  ] as const)
    expect(await failureOf(reader.read(request))).toMatchObject(refusal);
});
