import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT, runCommand } from "@/scripts/command";

// Allowed imports between folders, checked by `npm run lint`. A folder may name only folders above it in
// the table, so that there are no cycles. Every folder may import files directly in lib and in its shared
// folders.

/** The shared folders of `lib`. */
const SHARED = /^lib\/(?:(?:browser|errors|files|runtime|shop|text)\/)?[^/]+$/;

/** The folders of `lib` and `db`, with the others that each may import. */
const ALLOWED: Record<string, string> = {
  lib: "",
  "lib/analytics": "",
  "lib/workarounds": "",
  "lib/http": "lib/workarounds",
  db: "",
  "lib/background": "lib/http",
  "lib/health": "lib/http db",
  "lib/telemetry": "lib/http db lib/health",
  "lib/uploads": "lib/http db lib/background",
  "lib/audit": "lib/http db",
  "lib/backoffice": "lib/http db lib/audit",
  "lib/addresses": "lib/http db lib/audit lib/backoffice",
  "lib/shipping-methods": "lib/http db lib/audit lib/backoffice",
  "lib/stock": "lib/http db lib/audit lib/backoffice",
  "lib/seller": "lib/http db lib/audit lib/backoffice",
  "lib/catalogue": "lib/http db lib/audit lib/backoffice lib/uploads lib/stock",
  "lib/footer": "lib/http lib/catalogue lib/seller lib/shipping-methods",
  "lib/cart":
    "lib/http db lib/audit lib/backoffice lib/catalogue lib/seller lib/shipping-methods lib/stock",
  "lib/downloads/link.ts": "lib/http",
  "lib/shipments/rules.ts": "",
  "lib/withdrawals/rules.ts": "",
  "lib/orders":
    "lib/http db lib/audit lib/backoffice lib/catalogue lib/downloads/link.ts lib/seller lib/shipments/rules.ts lib/stock",
  "lib/reviews": "lib/http db lib/audit lib/backoffice lib/catalogue lib/orders",
  "lib/related": "lib/http db lib/background lib/catalogue",
  "lib/product-page": "lib/http lib/catalogue lib/related lib/reviews lib/shipping-methods",
  "lib/home": "lib/http db lib/catalogue lib/reviews",
  "lib/seo": "lib/http db lib/catalogue lib/reviews lib/shipping-methods lib/stock lib/uploads",
  "lib/invoices": "lib/http db lib/audit lib/backoffice lib/orders lib/shipping-methods",
  "lib/credit-notes": "lib/http db lib/backoffice lib/invoices lib/orders lib/shipping-methods",
  "lib/mail":
    "lib/http db lib/background lib/catalogue lib/credit-notes lib/invoices lib/seller lib/telemetry lib/uploads",
  "lib/dashboard": "lib/http db lib/backoffice lib/mail lib/orders lib/seller",
  "lib/payments": "lib/http db",
  "lib/refunds":
    "lib/http db lib/audit lib/backoffice lib/credit-notes lib/invoices lib/mail lib/orders lib/payments lib/shipping-methods lib/stock lib/withdrawals/rules.ts",
  "lib/contact": "lib/http db lib/mail",
  "lib/withdrawals":
    "lib/http db lib/audit lib/backoffice lib/mail lib/orders lib/seller lib/withdrawals/rules.ts",
  "lib/shipments":
    "lib/http db lib/audit lib/backoffice lib/invoices lib/mail lib/orders lib/seller lib/shipments/rules.ts",
  "lib/auth": "lib/http db lib/mail",
  "lib/mailbox": "lib/http lib/auth lib/mail",
  "lib/downloads": "lib/http lib/auth lib/downloads/link.ts lib/orders",
  "lib/stock-alerts": "lib/http db lib/auth lib/background lib/mail lib/stock",
  "lib/account": "lib/http db lib/audit lib/auth lib/backoffice lib/mail lib/stock-alerts",
  "lib/checkout":
    "lib/http db lib/addresses lib/background lib/cart lib/catalogue lib/invoices lib/mail lib/orders lib/payments lib/refunds lib/seller lib/shipping-methods lib/stock lib/telemetry",
  "lib/maintenance":
    "lib/http db lib/account lib/auth lib/background lib/checkout lib/contact lib/mail lib/stock lib/stock-alerts",
  "lib/process":
    "lib/workarounds lib/http db lib/auth lib/checkout lib/health lib/invoices lib/mail lib/maintenance lib/related lib/stock-alerts lib/telemetry lib/uploads",
  "db/factories":
    "db lib/http lib/auth lib/checkout lib/orders lib/stock lib/withdrawals lib/withdrawals/rules.ts",
  "db/seed":
    "db lib/http lib/auth lib/checkout lib/credit-notes lib/orders lib/withdrawals lib/downloads lib/payments db/factories",
  "components/ui": "",
};

/** Imports that are not allowed in a layer: routes and components reach the database through lib. */
const CLOSED: Record<string, RegExp> = {
  app: /^(?:db\b|drizzle-orm|postgres$|pg$)/,
  components: /^(?:app\b|db\b|drizzle-orm|postgres$|pg$)/,
};

interface Import {
  file: string;
  line: number;
  /** A file from the project's root, or a package. */
  target: string;
}

const folders = Object.keys(ALLOWED).sort((a, b) => b.length - a.length);

/** The longest entry of the table that a file belongs to. */
export const folderOf = (file: string): string | undefined =>
  folders.find((folder) =>
    folder === "lib"
      ? SHARED.test(file)
      : file === folder || file === folder.replace(/\.tsx?$/, "") || file.startsWith(`${folder}/`),
  );

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

/** Why an import is not allowed; null if it is allowed. */
export function faultOf({ file, target }: Import): string | null {
  const layer = file.split("/")[0] ?? "";
  if (CLOSED[layer]?.test(target)) return `${layer} may not import ${target}`;
  if (/^(?:components|app)\//.test(target) && /^(?:lib|db)\//.test(file))
    return "lib and db know neither components nor routes";
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === "components/ui" && /^(?:components\/(?!ui\/)|app\/)/.test(target))
    return "components/ui knows no domain";
  if (!from || !to || from === to || to === "lib") return null;
  return ALLOWED[from]?.split(" ").includes(to) ? null : `${from} may not import ${to}`;
}

/** Entries of the table that name a folder which is not above them. */
export function circles(allowed: Record<string, string> = ALLOWED): string[] {
  const names = Object.keys(allowed);
  return names.flatMap((name, index) =>
    (allowed[name] ?? "")
      .split(" ")
      .filter((other) => other && !names.slice(0, index).includes(other))
      .map((other) => `${name} names ${other}, which does not stand above it`),
  );
}

function listFiles(): string[] {
  return ["app", "components", "lib", "db"].flatMap((layer) =>
    readdirSync(path.join(ROOT, layer), { recursive: true, encoding: "utf8" })
      .map((file) => path.posix.join(layer, file))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)),
  );
}

/** Every fault of the sources. */
export function listFaults(): string[] {
  const files = listFiles();
  const unknown = files.filter((file) => /^(?:lib|db)\//.test(file) && !folderOf(file));
  const imports = files.flatMap((file) =>
    importsOf(file, readFileSync(path.join(ROOT, file), "utf8")),
  );
  return [
    ...circles(),
    ...unknown.map((file) => `${file} is in no folder of scripts/directions.ts`),
    ...imports.flatMap((each) => {
      const fault = faultOf(each);
      return fault === null ? [] : [`${each.file}:${each.line}: ${fault}`];
    }),
  ];
}

if (process.argv[1] === import.meta.filename)
  void runCommand(async () => {
    const faults = listFaults();
    for (const fault of faults) console.error(fault);
    if (faults.length > 0)
      console.error("Who may import whom: the table in scripts/directions.ts.");
    return faults.length === 0 ? 0 : 1;
  });
