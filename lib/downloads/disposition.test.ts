import { expect, test } from "@playwright/test";
import { attachment } from "@/lib/downloads/disposition";

test("a file is saved under its name, whatever its signs are", () => {
  expect(attachment("guide.pdf")).toBe(
    `attachment; filename="guide.pdf"; filename*=UTF-8''guide.pdf`,
  );
  expect(attachment("Recettes d’été (n° 2).epub")).toBe(
    `attachment; filename="Recettes d'ete (n_ 2).epub"; filename*=UTF-8''Recettes%20d%E2%80%99%C3%A9t%C3%A9%20%28n%C2%B0%202%29.epub`,
  );
  // A letter of two code points, as macOS writes it, becomes one code point.
  expect(attachment("été.mp3")).toBe(
    `attachment; filename="ete.mp3"; filename*=UTF-8''%C3%A9t%C3%A9.mp3`,
  );
});

test("a file name cannot break out of its quotes or the header", () => {
  const header = attachment('a"; filename="b\\.exe\r\nSet-Cookie: x=1 100 %.pdf');
  expect(header).not.toMatch(/[\r\n\\]/);
  expect(header.split(";")[1]).toBe(' filename="a_');
  expect(header.match(/"/g)).toHaveLength(2);
});
