import { expect, test } from "@playwright/test";
import { isOwnHost } from "@/lib/http/host";

test("IP addresses of this machine and localhost are the shop's hosts, on any port", () => {
  for (const host of [
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1",
    "127.0.0.1:3000",
    "[::1]:3000",
    "192.168.1.5:3000",
  ])
    expect(isOwnHost(host), host).toBe(true);
});

test("names that only contain one of the shop's hosts are other hosts", () => {
  for (const host of [
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "evil.example/localhost",
    "",
    " ",
    undefined,
    null,
  ])
    expect(isOwnHost(host), String(host)).toBe(false);
});

test("the site's name is the shop's host, with or without its port", () => {
  const site = "https://boutique.exemple.fr";
  expect(isOwnHost("Boutique.exemple.fr", site)).toBe(true);
  expect(isOwnHost("boutique.exemple.fr:8443", site)).toBe(true);
  expect(isOwnHost("x.boutique.exemple.fr", site)).toBe(false);
});
