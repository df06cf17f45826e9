import { expect, test } from "@playwright/test";
import {
  authChangedEvent,
  clearSession,
  consumeLoginNotice,
  readSession,
  storeLoginNotice,
  subscribeToSession,
  writeSession,
} from "@/lib/browser/session";

const loggedOut = { token: null, userId: null, firstName: null, lastName: null, roles: [] };

const stub = (entries: Record<string, string> = {}) => {
  const stored = new Map(Object.entries(entries));
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  return { stored, storage };
};

function installStorage(entries: Record<string, string>) {
  const { stored, storage } = stub(entries);
  Object.assign(globalThis, { window: new EventTarget(), localStorage: storage });
  return stored;
}

test.afterEach(() => {
  Reflect.deleteProperty(globalThis, "window");
  Reflect.deleteProperty(globalThis, "localStorage");
});

const session = {
  token: "abc",
  user: '{"id":7}',
  userId: "7",
  userName: "Martin",
  userLastName: "Alice",
  roles: '["ROLE_USER","ROLE_ADMIN"]',
};

test("first and last name are read from the stored keys, which are swapped", () => {
  installStorage(session);
  expect(readSession()).toEqual({
    token: "abc",
    userId: 7,
    firstName: "Alice",
    lastName: "Martin",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
  });
});

test("an empty, a corrupt and a forbidden storage mean a logged-out visitor", () => {
  installStorage({});
  expect(readSession()).toEqual(loggedOut);
  installStorage({ token: "", userId: "x", userName: "", roles: "{broken" });
  expect(readSession()).toEqual(loggedOut);
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("forbidden");
    },
  });
  expect(readSession()).toEqual(loggedOut);
});

test("clearing removes only the session and notifies the page", () => {
  const stored = installStorage({ ...session, recentlyViewedProducts: "[3]" });
  let calls = 0;
  const stop = subscribeToSession(() => {
    calls += 1;
  });
  clearSession();
  expect([...stored.keys()]).toEqual(["recentlyViewedProducts"]);
  expect(calls).toBe(1);
  window.dispatchEvent(new Event("storage"));
  expect(calls).toBe(2);
  stop();
  window.dispatchEvent(new Event(authChangedEvent));
  expect(calls).toBe(2);
});

test("a login's response is stored under the contract's keys, with one notification", () => {
  const stored = installStorage({ recentlyViewedProducts: "[3]" });
  let calls = 0;
  subscribeToSession(() => {
    calls += 1;
  });
  writeSession({
    token: "abc",
    userId: 7,
    userName: "Martin",
    userLastName: "Alice",
    roles: ["ROLE_USER"],
  });
  expect(calls).toBe(1);
  const { user = "", ...rest } = Object.fromEntries(stored);
  expect(rest).toEqual({
    recentlyViewedProducts: "[3]",
    token: "abc",
    userId: "7",
    userName: "Martin",
    userLastName: "Alice",
    roles: '["ROLE_USER"]',
  });
  expect(JSON.parse(user)).toMatchObject({ id: 7, nom: "Martin", lastname: "Alice" });
  expect(readSession()).toMatchObject({ userId: 7, firstName: "Alice", lastName: "Martin" });
});

test("a notice is read once, and unknown ones are ignored", () => {
  const { stored, storage } = stub();
  Object.assign(globalThis, { sessionStorage: storage });
  try {
    storeLoginNotice("expired");
    expect([consumeLoginNotice(), consumeLoginNotice()]).toEqual(["expired", null]);
    stored.set("loginNotice", "<b>");
    expect(consumeLoginNotice()).toBeNull();
  } finally {
    Reflect.deleteProperty(globalThis, "sessionStorage");
  }
  expect(consumeLoginNotice()).toBeNull();
});
