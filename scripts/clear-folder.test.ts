import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { clearFolder } from "./clear-folder";

test("a rebuild leaves the data of the shop that runs in its folder", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-clear-"));
  try {
    mkdirSync(path.join(folder, ".data/uploads"), { recursive: true });
    writeFileSync(path.join(folder, ".data/uploads/lampe.webp"), "a picture");
    mkdirSync(path.join(folder, ".next/static"), { recursive: true });
    writeFileSync(path.join(folder, "server.js"), "");
    clearFolder({ folder, kept: ".data" });
    expect(readdirSync(folder)).toEqual([".data"]);
    expect(readFileSync(path.join(folder, ".data/uploads/lampe.webp"), "utf8")).toBe("a picture");
    expect(() => clearFolder({ folder: path.join(folder, "none"), kept: ".data" })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
