import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { ROOT } from "@/scripts/command";

/** A performance aim and its measurement. */
export interface Aim {
  name: string;
  measured: string;
  wanted: string;
  isMet: boolean;
}

export const aimOf = (options: {
  name: string;
  value: number;
  atLeast?: number;
  atMost?: number;
  unit?: string;
  digits?: number;
}): Aim => {
  const { name, value, atLeast, atMost, unit = "", digits = 2 } = options;
  const text = (number: number) => `${number.toFixed(digits)}${unit && ` ${unit}`}`;
  return {
    name,
    measured: text(value),
    wanted: atLeast === undefined ? `≤ ${text(atMost ?? 0)}` : `≥ ${text(atLeast)}`,
    isMet: value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Infinity),
  };
};

/** Prints a table: the first column left-aligned, figures right-aligned. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ");
  console.log(line(head));
  console.log(widths.map((width) => "─".repeat(width)).join("  "));
  for (const row of rows) console.log(line(row));
}

export function printAims(aims: readonly Aim[]): void {
  if (aims.length === 0) return;
  console.log("\nAims");
  printTable(
    ["", "measured", "wanted", ""],
    aims.map(({ name, measured, wanted, isMet }) => [
      name,
      measured,
      wanted,
      isMet ? "met" : "MISSED",
    ]),
  );
}

/** Writes the results with a description of the machine. */
export function saveResults(name: string, results: unknown): void {
  const folder = path.join(ROOT, "bench/results");
  mkdirSync(folder, { recursive: true });
  const now = new Date().toISOString();
  const file = path.join(folder, `${now.replaceAll(":", "-").slice(0, 19)}-${name}.json`);
  const [processor] = cpus();
  const machine = { processor: processor?.model, cores: cpus().length, node: process.version };
  writeFileSync(file, `${JSON.stringify({ at: now, machine, results }, null, 2)}\n`);
  console.log(`\nSaved: ${path.relative(ROOT, file)}`);
}

/** What half and all but a hundredth of the numbers do not exceed. */
export interface Quantiles {
  p50: number;
  p99: number;
}

export function quantilesOf(numbers: readonly number[]): Quantiles {
  const sorted = numbers.toSorted((a, b) => a - b);
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

/** Three significant digits. */
export function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value >= 100) return String(Math.round(value));
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(2);
}
