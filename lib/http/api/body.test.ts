import { expect, test } from "@playwright/test";
import { z } from "zod";
import { isFailure } from "@/lib/errors/failure";
import { fileUpload, rawText, readBounded, readJson } from "@/lib/http/api/body";

const URL_ = "http://shop.test/api/things";
const post = (body: BodyInit | null, type: string | null = "application/json") =>
  new Request(URL_, {
    method: "POST",
    body,
    ...(type !== null && { headers: { "content-type": type } }),
    duplex: "half",
  } as RequestInit);

const schema = z.object({ name: z.string(), count: z.int().optional() });

async function failureOf(reading: Promise<unknown>) {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

const read = (request: Request, limit = 1000) => readJson({ request, schema, limit });
const kindOf = async (request: Request, limit?: number) =>
  (await failureOf(read(request, limit))).kind;

/** Bytes without end, and how many of them were taken. */
function endless() {
  const counter = { bytes: 0 };
  const stream = new ReadableStream({
    pull(controller) {
      counter.bytes += 100;
      controller.enqueue(new Uint8Array(100).fill(97));
    },
  });
  return { counter, stream };
}

test("JSON and JSON-LD are read", async () => {
  for (const type of ["application/json", "application/ld+json", "application/json; charset=UTF-8"])
    expect(await read(post('{"name":"é","more":1}', type))).toEqual({ name: "é" });
});

test("another content type is 415", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/merge-patch+json",
  ])
    expect(await kindOf(post("{}", type)), type).toBe("unsupportedType");
  const untyped = new Request(URL_, { method: "POST", body: new Uint8Array([123, 125]) });
  expect(await kindOf(untyped)).toBe("unsupportedType");
});

test("a body that is no JSON object is 400", async () => {
  for (const body of [
    "",
    "{",
    "{'a':1}",
    "[]",
    '"text"',
    "null",
    "1",
    new Uint8Array([0x7b, 0xff, 0x7d]),
  ])
    expect(await kindOf(post(body)), String(body)).toBe("badRequest");
  expect(await kindOf(post(null, null))).toBe("badRequest");
});

test("too long a body is 413, told by its header or found while reading", async () => {
  const announced = new Request(URL_, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": "5000" },
    body: "{}",
  });
  expect(await kindOf(announced)).toBe("tooLarge");
  expect((await failureOf(read(post("x".repeat(70_000)), 64_000))).message).toBe(
    "Le contenu envoyé est trop volumineux (64 Ko au plus).",
  );
});

test("an endless body is not read to its end", async () => {
  const { counter, stream } = endless();
  expect(await kindOf(post(stream))).toBe("tooLarge");
  expect(counter.bytes).toBeLessThan(2000);
});

test("a body of exactly the limit is read", async () => {
  expect((await readBounded(post("x".repeat(1000)), 1000)).byteLength).toBe(1000);
  expect((await failureOf(readBounded(post("x".repeat(1001)), 1000))).kind).toBe("tooLarge");
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
  const broken = new ReadableStream({
    pull: (controller) =>
      controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
  });
  expect(await kindOf(post(broken))).toBe("timeout");
});

test("violations have their path and a French message", async () => {
  const nested = z.object({
    name: z.string().min(3),
    items: z.array(z.object({ product: z.int().min(1), quantity: z.number() })),
    ok: z.boolean(),
    kind: z.enum(["a", "b"]),
    mail: z.email(),
    note: z.string().max(2),
  });
  const body = {
    name: 3,
    items: [{ product: 0, quantity: "1" }],
    ok: "yes",
    kind: "c",
    mail: "x",
    note: "abc",
  };
  const request = post(JSON.stringify(body));
  const failure = await failureOf(readJson({ request, schema: nested, limit: 1000 }));
  expect(failure.violations).toEqual([
    { propertyPath: "name", message: "Ce champ doit être un texte." },
    { propertyPath: "items[0].product", message: "Ce nombre doit être au moins 1." },
    { propertyPath: "items[0].quantity", message: "Ce champ doit être un nombre." },
    { propertyPath: "ok", message: "Ce champ doit être vrai ou faux." },
    { propertyPath: "kind", message: "Cette valeur n'est pas permise. Valeurs permises : a, b." },
    { propertyPath: "mail", message: "Cette adresse e-mail n'est pas valide." },
    { propertyPath: "note", message: "Ce champ doit contenir au plus 2 caractères." },
  ]);
  expect((await failureOf(read(post("{}")))).violations).toEqual([
    { propertyPath: "name", message: "Ce champ est obligatoire." },
  ]);
});

test("NUL and lone surrogates are refused in keys and values", async () => {
  const free = z.object({ list: z.array(z.unknown()).optional(), name: z.string().optional() });
  const violations = async (text: string) =>
    (await failureOf(readJson({ request: post(text), schema: free, limit: 65_536 }))).violations;
  const message = "Ce texte contient un caractère interdit.";
  expect(await violations('{"name":"a\\u0000b"}')).toEqual([{ propertyPath: "name", message }]);
  expect(await violations('{"list":[1,{"a":"\\u0000"}]}')).toEqual([
    { propertyPath: "list[1].a", message },
  ]);
  expect(await violations('{"a\\u0000":1}')).toEqual([{ propertyPath: "", message }]);
  const deep = `{"list":${"[".repeat(31_000)}"\\u0000"${"]".repeat(31_000)}}`;
  expect(await violations(deep)).toEqual([
    { propertyPath: `list${"[0]".repeat(31_000)}`, message },
  ]);
  expect(await violations('{"name":"a\\ud83d"}')).toEqual([{ propertyPath: "name", message }]);
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

test("a webhook's text is given as it came, up to its limit", async () => {
  const reader = rawText({ limit: 100, description: "Événement" });
  expect(await reader.read(post('{ "a" : 1 }'))).toBe('{ "a" : 1 }');
  expect((await failureOf(reader.read(post("x".repeat(101))))).kind).toBe("tooLarge");
});

test("a file is taken out of its form, up to its limit", async () => {
  const reader = fileUpload({ field: "file", limit: 1000, description: "Image" });
  const upload = async (name: string, bytes: number) => {
    const data = new FormData();
    data.append(name, new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" }));
    // As bytes: Node.js 24 goes on filling the stream of a FormData that is refused.
    const form = new Response(data);
    const { headers } = form;
    return new Request(URL_, { method: "POST", headers, body: await form.arrayBuffer() });
  };
  const file = await reader.read(await upload("file", 900));
  expect([file.name, file.size, file.type]).toEqual(["photo.png", 900, "image/png"]);
  expect(await failureOf(reader.read(await upload("file", 1001)))).toMatchObject({
    kind: "tooLarge",
  });
  expect(await failureOf(reader.read(await upload("file", 100_000)))).toMatchObject({
    kind: "tooLarge",
  });
  expect(await failureOf(reader.read(await upload("other", 10)))).toMatchObject({
    violations: [{ propertyPath: "file", message: "Veuillez choisir un fichier." }],
  });
  expect((await failureOf(reader.read(post("{}")))).kind).toBe("unsupportedType");
  expect((await failureOf(reader.read(post("x", "multipart/form-data; boundary=y")))).kind).toBe(
    "badRequest",
  );
});
