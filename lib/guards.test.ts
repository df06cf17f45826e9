import { expect, test } from "@playwright/test";
import {
  guestUrl,
  loginUrl,
  plainReturnPath,
  redirectOf,
  returnPathOf,
  safeReturnPath,
} from "@/lib/guards";
import { accessOf } from "@/lib/pages";

const customer = { roles: ["ROLE_USER"] };
const admin = { roles: ["ROLE_USER", "ROLE_ADMIN"] };

const pages = {
  guest: [
    ...["/login", "/register", "/forget-password", "/reset-password/abc"],
    ...["/account-verification/abc", "/account-verification"],
  ],
  user: ["/account", "/profile", "/addresses", "/orders", "/cart", "/order/7/confirmation"],
  admin: ["/backoffice", "/backoffice/products", "/backoffice/orders/7"],
  checkout: ["/checkout"],
  everybody: [
    ...["/", "/products", "/product/7", "/contact", "/mailbox"],
    ...["/logins", "/login/more", "/accounts", "/account/x", "/backoffices"],
    ...["/order/7", "/order/7/8/confirmation"],
  ],
};

test("every page has the access level of the table", () => {
  const { everybody, ...guarded } = pages;
  for (const [access, paths] of Object.entries(guarded))
    for (const path of paths) expect(accessOf(path), path).toBe(access);
  for (const path of everybody) expect(accessOf(path), path).toBe("everybody");
});

const target = (url: string, session: typeof customer | null, isFromCart = false) =>
  redirectOf({ url, session, isFromCart });

test("each page is open to its visitors, and leads others away", () => {
  const checked = {
    guest: () => [null, "/", "/"],
    user: (path: string) => [`/login?retour=${path}`, null, null],
    admin: (path: string) => [`/login?retour=${path}`, "/", null],
    checkout: (path: string) => [`/login?retour=${path}`, "/cart", "/cart"],
    everybody: () => [null, null, null],
  };
  for (const [access, targetsOf] of Object.entries(checked))
    for (const path of pages[access as keyof typeof pages])
      expect(
        [null, customer, admin].map((session) => target(path, session)),
        path,
      ).toEqual(targetsOf(path));
  expect(target("/account?success=Oui+!", null)).toBe("/login?retour=/account%3Fsuccess%3DOui%2B!");
  // The checkout is reached from the cart alone.
  expect(target("/checkout", customer, true)).toBeNull();
  expect(target("/checkout", null, true)).toBe("/login?retour=/checkout");
});

test("a return URL is a path of this shop, or ignored", () => {
  const good = [
    "/",
    "/orders",
    "/account?success=Adresse%20ajout%C3%A9e",
    "/product/7?category=3#avis",
    "/products?search=100%25",
    "/products?search=a//b",
  ];
  for (const url of good) {
    expect(safeReturnPath(url), url).toBe(url);
    expect(returnPathOf(new URL(loginUrl(url), "http://shop.test").search)).toBe(url);
  }
  const outside = [
    ...["https://evil.example", "https:/evil.example", "javascript:alert(1)", "orders", ""],
    ...["//evil.example", "///evil.example", " //evil.example", "\t//evil.example"],
    ...["/\\evil.example", "\\/evil.example", "\\\\evil.example"],
    ...["/\t/evil.example", "/\n/evil.example", "/%09/evil.example"],
    ...["/%2fevil.example", "/%2Fevil.example", "%2f%2fevil.example"],
    ...["/%5cevil.example", "/%5Cevil.example", "/%255cevil.example"],
    ...["/%252fevil.example", "/%25252fevil.example", "/%0d%0aSet-Cookie:a=b"],
    ...["/.//evil.example", "/..//evil.example", "/%2e%2e//evil.example"],
    ...["/%", "/%zz", "/%c0%af/evil.example"],
  ];
  const unfit = ["/api/account", "/api", "/login", "/login?retour=/orders", "/register"];
  const bad = [...outside, ...unfit, "/reset-password/abc", `/${"a".repeat(2000)}`];
  expect(safeReturnPath(null)).toBeNull();
  for (const url of bad) {
    expect(safeReturnPath(url), url).toBeNull();
    expect(loginUrl(url), url).toBe("/login");
    expect(returnPathOf(`?retour=${encodeURIComponent(url)}`), url).toBeNull();
  }
});

test("the pages for guests hand a safe return URL on to each other", () => {
  expect(guestUrl("/register", "/product/7?category=3")).toBe(
    "/register?retour=/product/7%3Fcategory%3D3",
  );
  for (const none of [null, "//evil.example", "/login"])
    expect(guestUrl("/register", none)).toBe("/register");
});

test("a return URL in a mail holds no text of the visitor's own", () => {
  for (const [url, plain] of [
    ["/product/7", "/product/7"],
    ["/product/7?category=3", "/product/7?category=3"],
    ["/product/7?utm=Appelez-moi&category=3&x=y#avis", "/product/7?category=3"],
    ["/product/7?category=Appelez-moi", "/product/7"],
    ["/product/7?category=3-appelez", "/product/7"],
    ["/products?search=Appelez+le+0900", "/products"],
    ["/orders?commande=CMD-2026-000001", "/orders"],
    ["/", "/"],
    ["/product/appelez-moi", null],
    ["/product/:id", null],
    ["/appelez-moi", null],
    ["/backoffice/appelez-moi", null],
    ["/order/7/confirmation", null],
    ["//evil.example", null],
    ["/login", null],
    ["/__proto__", null],
    ["", null],
  ] as const)
    expect(plainReturnPath(url), url).toBe(plain);
});

test("every accepted return URL stays on this site in a browser", () => {
  const site = "https://shop.test";
  const signs = "/ \\ %2f %5c \t %09 . @ : evil.example ? #".split(" ").concat(" ");
  const elsewhere: string[] = [];
  for (const a of signs)
    for (const b of signs)
      for (const c of signs) {
        const safe = safeReturnPath(`/${a}${b}${c}evil.example`);
        if (safe !== null && new URL(safe, site).origin !== site) elsewhere.push(safe);
      }
  expect(elsewhere).toEqual([]);
});
