import { expect, test } from "@playwright/test";
import { callApi, callApiForFile, isTokenRenewed } from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import { registerDirtyForm } from "@/lib/browser/drafts";
import { handleQuestions } from "@/lib/browser/session-questions";
import { type ListJson, membersOf, timeoutSignal, totalOf } from "@/lib/public-api";

const refused = (status: number, body?: unknown) =>
  new ApiError({ status, message: "GET /api/products", body });

test("members and total are read from a plain array and from a Hydra collection", () => {
  const lists: [list: ListJson<number>, members: number[], total: number][] = [
    [[7, 8, 9], [7, 8, 9], 3],
    [{ "hydra:member": [7, 8], "hydra:totalItems": 40 }, [7, 8], 40],
    [{ "hydra:member": [7, 8] }, [7, 8], 2],
    [{ "hydra:member": [], "hydra:totalItems": 0 }, [], 0],
    [[], [], 0],
  ];
  for (const [list, members, total] of lists) {
    expect(membersOf(list)).toEqual(members);
    expect(totalOf(list)).toBe(total);
  }
});

test("the message of a refusal is found under each of its names, the shop's own first", () => {
  const names = ["error", "message", "detail", "hydra:description"];
  const body = Object.fromEntries(names.map((name) => [name, `${name}.`]));
  for (const name of names) {
    expect(refused(409, body).sentence, name).toBe(`${name}.`);
    // An empty sentence, or one that is not a string, is ignored.
    body[name] = "";
    expect(refused(409, { ...body, [name]: { code: 12 } }).sentence).toBe(
      refused(409, body).sentence,
    );
  }
  expect(refused(409, body).sentence).toBe("");
});

test("a refusal without a message, and a server error, have an empty message", () => {
  for (const body of [undefined, null, "<html>", 7, [], {}])
    expect(refused(400, body).sentence).toBe("");
  expect(refused(0).sentence).toBe("");
  for (const status of [500, 502, 503])
    expect(refused(status, { error: "Service indisponible." }).sentence).toBe("");
});

test.describe("calls", () => {
  const { fetch } = globalThis;
  const { timeout } = AbortSignal;
  test.afterEach(() => {
    globalThis.fetch = fetch;
    AbortSignal.timeout = timeout;
  });

  const request = { as: "none" } as const;
  const answerWith = (answer: (signal: AbortSignal | null | undefined) => Promise<Response>) => {
    globalThis.fetch = (_, init) => answer(init?.signal);
  };
  const failureOf = (call: Promise<unknown>): Promise<ApiError> =>
    call.then(
      () => Promise.reject(new Error("It succeeded.")),
      (error) => error,
    );

  test("an unreadable response is not taken for a lost connection", async () => {
    for (const status of [200, 502]) {
      answerWith(async () => new Response("<html>", { status }));
      const error = await failureOf(callApi("/api/cart", request));
      expect(error).toMatchObject({ status, body: null });
    }
    answerWith(async () => new Response("[7]"));
    expect(await callApi("/api/cart", request)).toEqual([7]);
    answerWith(async () => new Response(null, { status: 204 }));
    expect(await callApi("/api/cart", request)).toBeUndefined();
  });

  test("a call without a response is aborted, except for a file", async () => {
    const limits: number[] = [];
    AbortSignal.timeout = (milliseconds) => {
      limits.push(milliseconds);
      return AbortSignal.abort();
    };
    answerWith(async (signal) => {
      signal?.throwIfAborted();
      return new Response("[7]");
    });
    expect(await failureOf(callApi("/api/cart", request))).toMatchObject({ status: 0 });
    expect(limits).toEqual([30_000]);
    expect((await callApiForFile("/api/invoices/7/download", request)).size).toBe(3);
    expect(limits).toHaveLength(1);
  });

  test.describe("sensitive changes", () => {
    const body = {
      type: "/api/errors/reauthentication-required",
      reauthentication: "code",
      detail: "Confirmez.",
    };
    const change = { method: "PUT", json: { nom: "Li" }, as: "session" } as const;
    let token: string | null;
    let sent: [authorization: string | null, body: unknown][];
    let stop: () => void;

    test.beforeEach(() => {
      token = "old";
      sent = [];
      stop = () => undefined;
      Object.assign(globalThis, { localStorage: { getItem: () => token } });
      globalThis.fetch = async (_, init) => {
        const authorization = new Headers(init?.headers).get("Authorization");
        sent.push([authorization, init?.body]);
        return authorization === "Bearer new"
          ? new Response("[7]")
          : new Response(JSON.stringify(body), { status: 403 });
      };
    });

    test.afterEach(() => {
      stop();
      Reflect.deleteProperty(globalThis, "localStorage");
    });

    test("are repeated unchanged after the visitor has authenticated again", async () => {
      const asked: string[] = [];
      stop = handleQuestions(async (proof) => {
        asked.push(proof);
        token = "new";
        return true;
      });
      expect(await callApi("/api/account", change)).toEqual([7]);
      expect(asked).toEqual(["code"]);
      expect(sent).toEqual([
        ["Bearer old", '{"nom":"Li"}'],
        ["Bearer new", '{"nom":"Li"}'],
      ]);
    });

    test("fail with the shop's message if the visitor declines, or nobody asks", async () => {
      const expectRefusal = async () => {
        const error = await failureOf(callApi("/api/account", change));
        expect(error).toMatchObject({ status: 403, sentence: "Confirmez.", neededProof: "code" });
      };
      stop = handleQuestions(async () => false);
      await expectRefusal();
      stop();
      await expectRefusal();
      expect(sent).toHaveLength(2);
    });

    test("are repeated at once if another tab has stored a new token", async () => {
      const { fetch: answer } = globalThis;
      globalThis.fetch = async (...args) => {
        const response = await answer(...args);
        token = "new";
        return response;
      };
      expect(await callApi("/api/account", change)).toEqual([7]);
    });

    test("are not confused with calls that are forbidden", async () => {
      for (const other of [{ status: 403 }, { status: 422, ...body }, { status: 403, type: "x" }]) {
        const { status, ...rest } = other;
        expect(refused(status, rest).neededProof).toBeNull();
      }
      expect(refused(403, { type: body.type }).neededProof).toBe("password");
    });
  });

  test("a call with an ended session asks for a login only while a form has typed text", async () => {
    let token = "old";
    const asked: string[] = [];
    Object.assign(globalThis, { localStorage: { getItem: () => token } });
    const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
    globalThis.fetch = async (_, init) =>
      new Headers(init?.headers).get("Authorization") === "Bearer new"
        ? new Response("[7]")
        : new Response("{}", { status: 401 });
    const stopAsking = handleQuestions(async (question) => {
      asked.push(question);
      token = "new";
      return true;
    });
    try {
      expect(await isTokenRenewed("old")).toBe(false);
      const unregister = registerDirtyForm(() => true);
      expect(await callApi("/api/account", { as: "session" })).toEqual([7]);
      expect(asked).toEqual(["login"]);
      unregister();
    } finally {
      stopAsking();
      Reflect.deleteProperty(globalThis, "localStorage");
      Reflect.deleteProperty(globalThis, "navigator");
      if (navigator) Object.defineProperty(globalThis, "navigator", navigator);
    }
  });

  test("a caller can abort a call before the timeout", () => {
    const own = new AbortController();
    const joined = timeoutSignal(own.signal);
    expect(joined.aborted).toBe(false);
    own.abort();
    expect(joined.aborted).toBe(true);
  });
});
