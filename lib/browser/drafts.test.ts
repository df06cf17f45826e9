import { expect, test } from "@playwright/test";
import {
  hasUnsavedText,
  registerDirtyForm,
  removeDraft,
  removeDrafts,
  storeDraft,
  takeDraft,
} from "@/lib/browser/drafts";

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

test("a draft is read once, and only by its author", () => {
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

test("drafts are deleted when they are sent and at the logout, other entries are kept", () => {
  const items = stubStorage();
  items.set("lastOrderId", "7");
  for (const key of ["review/7", "profile", "address/new"])
    storeDraft(key, { userId: 3, values: {} });
  removeDraft("profile");
  expect([...items.keys()]).toEqual(["lastOrderId", "draft:review/7", "draft:address/new"]);
  removeDrafts();
  expect([...items.keys()]).toEqual(["lastOrderId"]);
});

test("a browser without storage keeps no drafts, and shows no error", () => {
  storeDraft("profile", { userId: 3, values: {} });
  expect(takeDraft("profile", 3) ?? null).toBeNull();
  removeDrafts();
});

test("a visitor is writing as long as a form is dirty", () => {
  expect(hasUnsavedText()).toBe(false);
  let isDirty = false;
  const stop = registerDirtyForm(() => isDirty);
  expect(hasUnsavedText()).toBe(false);
  isDirty = true;
  expect(hasUnsavedText()).toBe(true);
  stop();
  expect(hasUnsavedText()).toBe(false);
});
