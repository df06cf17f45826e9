import { expect, test } from "@playwright/test";
import {
  CARRIERS,
  carrierName,
  carrierOfMethod,
  namedCarrier,
  trackingKey,
  trackingUrl,
} from "./rules";

test("a known carrier has a tracking link, with the number encoded", () => {
  for (const { name } of CARRIERS.slice(0, -1)) {
    const url = new URL(String(trackingUrl({ carrier: name, trackingNumber: "6A 1&é/2" })));
    expect(url.protocol, name).toBe("https:");
    expect(`${url.pathname}${url.search}`, name).toContain("6A%201%26%C3%A9%2F2");
  }
  expect(trackingUrl({ carrier: "Colissimo", trackingNumber: "6A12345678901" })).toBe(
    "https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901",
  );
});

test("without a number or a known carrier there is no link", () => {
  expect(trackingUrl({ carrier: "Colissimo", trackingNumber: null })).toBeNull();
  expect(trackingUrl({ carrier: "Autre", trackingNumber: "1" })).toBeNull();
  expect(namedCarrier(carrierName("autre"))).toBeNull();
  expect(namedCarrier("Coursier")).toBe("Coursier");
  expect(trackingUrl({ carrier: "Coursier du quartier", trackingNumber: "1" })).toBeNull();
});

test("a carrier is recognised however it is spelt", () => {
  expect(["mondial-relay", "MONDIAL RELAY", "laposte", "Vélo express"].map(carrierName)).toEqual([
    "Mondial Relay",
    "Mondial Relay",
    "La Poste",
    "Vélo express",
  ]);
  expect(trackingUrl({ carrier: "chronopost", trackingNumber: "X1" })).toContain("=X1");
});

test("a shipping method may contain the name of its carrier", () => {
  expect(carrierOfMethod("Colissimo à domicile")).toBe("Colissimo");
  expect(carrierOfMethod("Point relais (Mondial Relay)")).toBe("Mondial Relay");
  expect(carrierOfMethod("Autre livraison")).toBeNull();
  expect(carrierOfMethod(null)).toBeNull();
});

test("tracking numbers that differ in spaces or case are the same", () => {
  expect(trackingKey("6A 12345-678")).toBe(trackingKey("6a12345678"));
  expect(trackingKey("6A12345678")).not.toBe(trackingKey("6A12345679"));
});
