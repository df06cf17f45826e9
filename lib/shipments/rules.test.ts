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
});

test("without a number or a known carrier there is no link", () => {
  expect(trackingUrl({ carrier: "Colissimo", trackingNumber: null })).toBeNull();
  for (const carrier of ["Autre", "Coursier du quartier"])
    expect(trackingUrl({ carrier, trackingNumber: "1" }), carrier).toBeNull();
  expect(["Autre", "Coursier"].map(namedCarrier)).toEqual([null, "Coursier"]);
});

test("a carrier is recognised however it is spelt", () => {
  const spelt = ["mondial-relay", "MONDIAL RELAY", "laposte", "autre", "Vélo express"];
  expect(spelt.map(carrierName)).toEqual([
    "Mondial Relay",
    "Mondial Relay",
    "La Poste",
    "Autre",
    "Vélo express",
  ]);
  expect(trackingUrl({ carrier: "chronopost", trackingNumber: "X1" })).toContain("=X1");
});

test("a shipping method may contain the name of its carrier", () => {
  expect(carrierOfMethod("Colissimo à domicile")).toBe("Colissimo");
  expect(carrierOfMethod("Point relais (Mondial Relay)")).toBe("Mondial Relay");
  for (const method of ["Autre livraison", null]) expect(carrierOfMethod(method)).toBeNull();
});

test("tracking numbers that differ in spaces or case are the same", () => {
  expect(trackingKey("6A 12345-678")).toBe(trackingKey("6a12345678"));
  expect(trackingKey("6A12345678")).not.toBe(trackingKey("6A12345679"));
});
