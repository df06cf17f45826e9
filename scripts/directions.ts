import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT, runCommand } from "@/scripts/command";

// The directions of imports, checked by `npm run lint`: rules for the layers, and no circle of folders.

/** The shared files of `lib`. */
const SHARED = /^lib\/(?:(?:browser|errors|files|runtime|shop|text)\/)?[^/]+$/;
const DATABASE = /^(?:db\b|drizzle-orm|postgres$|pg$)/;
const SCREENS = /^(?:app|components)\//;
const DOMAINS = /^lib\/(?!(?:browser|errors|files|http|runtime|shop|text|workarounds)\/)[^/]+\//;

/** Imports that are not allowed, and why. */
const RULES: readonly (readonly [from: RegExp, to: RegExp, why: string])[] = [
  [SCREENS, DATABASE, "routes and components reach the database through lib"],
  [/^components\//, /^app\b/, "components know no routes"],
  [/^components\/ui\//, /^components\/(?!ui\/)|^lib\/http\//, "components/ui knows no domain"],
  [/^components\/ui\//, DOMAINS, "components/ui knows no domain"],
  [/^(?:lib|db)\//, SCREENS, "lib and db know neither components nor routes"],
  [/^lib\/(?:http|workarounds)\//, DOMAINS, "what domains are built on knows no domain"],
  [/^lib\/http\//, DATABASE, "lib/http knows no database"],
  [/^db\/(?!seed\/|factories\/)/, DOMAINS, "what domains are built on knows no domain"],
  [/^db\/(?!seed\/|factories\/)/, /^lib\/http\//, "the database knows no requests"],
];

/** Files that count as folders of their own: their folder imports a folder that imports them. */
const APART = ["lib/downloads/link", "lib/shipments/rules", "lib/withdrawals/rules"];

interface Import {
  file: string;
  line: number;
  /** A file from the project's root, or a package. */
  target: string;
}

/** The folder of `lib` or `db` that a file belongs to; all shared files are one. */
export function folderOf(file: string): string | undefined {
  const name = file.replace(/\.tsx?$/, "");
  if (APART.includes(name)) return name;
  if (SHARED.test(name)) return "lib";
  return /^(?:lib\/[^/]+|db\/(?:seed|factories)\b|db\b)/.exec(name)?.[0];
}

/** A file's static and dynamic imports. */
export function importsOf(file: string, source: string): Import[] {
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g;
  return [...source.matchAll(pattern)].map(({ 1: name = "", index }) => ({
    file,
    line: source.slice(0, index).split("\n").length,
    target: name.startsWith("@/")
      ? name.slice(2)
      : name.startsWith(".")
        ? path.posix.join(path.posix.dirname(file), name)
        : name,
  }));
}

/** Why a rule does not allow an import; undefined if all do. */
export const faultOf = ({ file, target }: Import): string | undefined =>
  RULES.find(([from, to]) => from.test(file) && to.test(target))?.[2];

/** Imports by which a folder leads back to itself, one from each folder of the circle; empty if none does. */
export function circleOf(imports: readonly Import[]): Import[] {
  const steps = imports
    .map((each) => ({ ...each, from: folderOf(each.file), to: folderOf(each.target) }))
    .filter(({ from, to }) => from && to && from !== to);
  const visited = new Set<string | undefined>();
  const visit = (folder: string | undefined, way: typeof steps): Import[] => {
    const start = way.findIndex(({ from }) => from === folder);
    if (start !== -1) return way.slice(start);
    if (visited.has(folder)) return [];
    visited.add(folder);
    for (const step of steps) {
      const circle = step.from === folder ? visit(step.to, [...way, step]) : [];
      if (circle.length > 0) return circle;
    }
    return [];
  };
  return steps.flatMap(({ from }) => visit(from, []));
}

function listImports(): Import[] {
  return ["app", "components", "lib", "db"].flatMap((layer) =>
    readdirSync(path.join(ROOT, layer), { recursive: true, encoding: "utf8" })
      .map((file) => path.posix.join(layer, file))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .flatMap((file) => importsOf(file, readFileSync(path.join(ROOT, file), "utf8"))),
  );
}

/** Every fault of these imports: by default, those of the sources. */
export function listFaults(imports = listImports()): string[] {
  const circle = circleOf(imports).map((each) => ({ ...each, fault: "a circle of folders" }));
  return [...imports.map((each) => ({ ...each, fault: faultOf(each) })), ...circle].flatMap(
    ({ file, line, target, fault }) =>
      fault ? [`${file}:${line}: imports ${target}: ${fault}`] : [],
  );
}

if (path.basename(process.argv[1] ?? "") === "directions.ts")
  void runCommand(async () => {
    const faults = listFaults();
    for (const fault of faults) console.error(fault);
    return faults.length === 0 ? 0 : 1;
  });
