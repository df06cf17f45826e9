import { expect, test } from "@playwright/test";
import { isOwnHost } from "@/lib/http/host";

const SITE = "https://boutique.exemple.fr";

test("this machine's addresses and the site's name are the shop's hosts, on any port", () => {
  for (const host of [
    ...["localhost", "LOCALHOST:3000", "127.0.0.1", "127.0.0.1:3000", "[::1]:3000"],
    ...["192.168.1.5:3000", "Boutique.exemple.fr", "boutique.exemple.fr:8443"],
  ])
    expect(isOwnHost(host, SITE), host).toBe(true);
});

test("names that only contain one of the shop's hosts are other hosts", () => {
  for (const host of [
    ...["evil.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.evil.example"],
    ...["localhost@evil.example", "evil.example/localhost", "x.boutique.exemple.fr"],
    ...["", " ", undefined, null],
  ])
    expect(isOwnHost(host, SITE), String(host)).toBe(false);
});
