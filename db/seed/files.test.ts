import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { extractText, getDocumentProxy } from "unpdf";
import { addSoldFile } from "@/lib/downloads/storage";
import { forgetEnv } from "@/lib/env";
import { productSeeds } from "./catalogue";
import { contentOf, writeDemoFiles } from "./files";

const stored = productSeeds.flatMap((product) =>
  product.type === "digital" && product.downloadLink.startsWith("/downloads/") ? [product] : [],
);

test("every file that the shop sells exists under the name that its product has", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "downloads-"));
  process.env.DOWNLOADS_DIR = root;
  forgetEnv();
  try {
    const [first] = stored;
    const kept = path.join(root, first?.downloadLink.slice("/downloads/".length) ?? "");
    await writeFile(kept, "replaced by the shop's owner");
    await writeDemoFiles(addSoldFile);
    expect((await readdir(root)).sort()).toEqual(
      stored.map(({ downloadLink }) => downloadLink.slice("/downloads/".length)).sort(),
    );
    expect(await readFile(kept, "utf8")).toBe("replaced by the shop's owner");
  } finally {
    delete process.env.DOWNLOADS_DIR;
    forgetEnv();
    await rm(root, { recursive: true, force: true });
  }
});

test("the files for sale are small and have the format of their type", async () => {
  expect(stored.length).toBeGreaterThan(10);
  for (const product of stored) {
    const content = await contentOf(product);
    expect(content.byteLength, product.name).toBeLessThan(200_000);
    switch (product.fileType) {
      case "PDF": {
        const { text } = await extractText(await getDocumentProxy(new Uint8Array(content)), {
          mergePages: true,
        });
        expect(text).toContain("Fichier de démonstration");
        break;
      }
      case "EPUB": {
        // EPUB readers look for the type at this offset.
        expect(strFromU8(content.slice(30, 58), true)).toBe("mimetypeapplication/epub+zip");
        expect(Object.keys(unzipSync(content))).toContain("META-INF/container.xml");
        break;
      }
      case "ZIP":
        expect(strFromU8(unzipSync(content)["LISEZMOI.txt"] ?? new Uint8Array())).toContain(
          product.name,
        );
        break;
      case "MP3":
        expect(strFromU8(content.slice(0, 3), true)).toBe("ID3");
        break;
      default:
        expect(product.fileType).toBe("OTF");
    }
  }
});
