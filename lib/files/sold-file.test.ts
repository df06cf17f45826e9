import { expect, test } from "@playwright/test";
import { isDownloadLink, storedFileName } from "@/lib/files/sold-file";

test("file names stay inside the folder", () => {
  for (const name of [
    ...["a.pdf", "2026/Été (1).zip", "Recettes d’été – n° 2.epub", "C# [2e éd.] 100 %.zip"],
    "e\u0301te\u0301.mp3",
  ])
    expect(storedFileName(`/downloads/${name}`)).toBe(name);
  expect(storedFileName("guide.pdf")).toBe("guide.pdf");
  for (const outside of [
    ...["/downloads/../secret.pdf", "/downloads/..", "/downloads/", "/downloads//etc/passwd"],
    ...["/downloads/.hidden", "/downloads/a\\..\\b.pdf", "/downloads/a/b/c/d/e.pdf"],
    ...["/downloads/a\0.pdf", "/images/a.png", "https://exemple.fr/a.pdf"],
  ])
    expect(storedFileName(outside), outside).toBeNull();
});

test("a download link must be one that buyers can open", () => {
  for (const link of [
    ...["https://videos.exemple.fr/cours.mp4", "HTTP://exemple.fr"],
    ...["/downloads/2026/guide.pdf", "guide.pdf"],
  ])
    expect(isDownloadLink(link), link).toBe(true);
  for (const link of [
    ...["downloads/guide.pdf", "/2026/guide.pdf", "guide.pdf/", "../guide.pdf", "http://"],
    ...["//exemple.fr/guide.pdf", "ftp://exemple.fr/guide.pdf", "javascript:alert(1)"],
  ])
    expect(isDownloadLink(link), link).toBe(false);
});
