import { expect, test } from "@playwright/test";
import {
  hasUnsavedText,
  registerDirtyForm,
  removeDraft,
  removeDrafts,
  storeDraft,
  takeDraft,
} from "@/lib/drafts";

function stubStorage(): Map<string, string> {
  const items = new Map<string, string>();
  const methods = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  };
  const storage = new Proxy(methods, {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  Object.defineProperty(globalThis, "sessionStorage", { value: storage, configurable: true });
  return items;
}

test.afterEach(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
});

test("a draft is taken once, by its writer alone", () => {
  stubStorage();
  storeDraft("review/7", { userId: 3, values: { content: "Elle ne goutte pas." } });
  expect(takeDraft("review/8", 3)).toBeNull();
  expect(takeDraft("review/7", 3)).toEqual({ content: "Elle ne goutte pas." });
  expect(takeDraft("review/7", 3)).toBeNull();
  storeDraft("review/7", { userId: 3, values: {} });
  expect(takeDraft("review/7", 4)).toBeNull();
  // The other user's attempt has removed the draft.
  expect(takeDraft("review/7", 3)).toBeNull();
});

test("drafts go when they are sent, and with the logout, and nothing else does", () => {
  const items = stubStorage();
  items.set("lastOrderId", "7");
  for (const key of ["review/7", "profile", "address/new"])
    storeDraft(key, { userId: 3, values: {} });
  removeDraft("profile");
  expect([...items.keys()]).toEqual(["lastOrderId", "draft:review/7", "draft:address/new"]);
  removeDrafts();
  expect([...items.keys()]).toEqual(["lastOrderId"]);
});

test("a browser that forbids storage keeps nothing, and says nothing", () => {
  storeDraft("profile", { userId: 3, values: {} });
  expect(takeDraft("profile", 3) ?? null).toBeNull();
  removeDrafts();
});

test("there is unsaved text as long as a form says so", () => {
  expect(hasUnsavedText()).toBe(false);
  let isDirty = false;
  const stop = registerDirtyForm(() => isDirty);
  expect(hasUnsavedText()).toBe(false);
  isDirty = true;
  expect(hasUnsavedText()).toBe(true);
  stop();
  expect(hasUnsavedText()).toBe(false);
});
