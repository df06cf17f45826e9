import { expect, test } from "@playwright/test";
import { arrivalText, workingDaysOf } from "@/lib/shop/arrival";

/** 2026-11-30 is a Monday. */
const arrival = (delay: string, from: string) =>
  arrivalText({ delay, from })?.replaceAll("\u00a0", " ");

test("a delay in working days is understood, any other is left alone", () => {
  expect(workingDaysOf("2 à 3 jours ouvrés")).toEqual({ min: 2, max: 3 });
  expect(workingDaysOf("Sous 5 jours ouvrés")).toEqual({ min: 0, max: 5 });
  expect(workingDaysOf("1 jour ouvré")).toEqual({ min: 1, max: 1 });
  expect(workingDaysOf("3-2 jours ouvrés")).toEqual({ min: 2, max: 3 });
  for (const other of ["", "48 h", "2 à 3 jours", "2 jours ouvrables", "100 jours ouvrés"])
    expect(workingDaysOf(other), other).toBeNull();
  expect(arrivalText({ delay: "Bientôt", from: new Date() })).toBeNull();
});

test("the arrival names the days, with the month where it is needed", () => {
  expect(arrival("2 à 3 jours ouvrés", "2026-11-30T11:00:00Z")).toBe(
    "Arrive entre le mer. 2 et le jeu. 3 décembre",
  );
  expect(arrival("1 jour ouvré", "2026-11-30T11:00:00Z")).toBe("Arrive le mar. 1er décembre");
  expect(arrival("sous 3 jours ouvrés", "2026-11-30T11:00:00Z")).toBe(
    "Arrive au plus tard le jeu. 3 décembre",
  );
  expect(arrival("1 à 2 jours ouvrés", "2026-11-27T11:00:00Z")).toBe(
    "Arrive entre le lun. 30 novembre et le mar. 1er décembre",
  );
});

test("weekends and public holidays do not count, and an order of such a day counts from the next", () => {
  // Saturday.
  expect(arrival("1 jour ouvré", "2026-11-28T11:00:00Z")).toBe("Arrive le mar. 1er décembre");
  // Christmas, a Friday.
  expect(arrival("2 jours ouvrés", "2026-12-23T11:00:00Z")).toBe("Arrive le lun. 28 décembre");
  // Easter Monday is on 2026-04-06.
  expect(arrival("1 jour ouvré", "2026-04-03T11:00:00Z")).toBe("Arrive le mar. 7 avril");
  // Sunday, 23:30 in Paris, is still Sunday.
  expect(arrival("1 jour ouvré", "2026-11-29T22:30:00Z")).toBe("Arrive le mar. 1er décembre");
  // Sunday in UTC, but Monday in Paris.
  expect(arrival("1 jour ouvré", "2026-11-29T23:30:00Z")).toBe("Arrive le mar. 1er décembre");
  expect(arrival("0 jours ouvrés", "2026-11-29T23:30:00Z")).toBe("Arrive le lun. 30 novembre");
});
