import { invalidParam } from "@/sandbox/cards/api-error";
import type { FormHash } from "@/sandbox/cards/form";

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY = 40;
const MAX_METADATA_VALUE = 500;
const MAX_TEXT = 5_000;

/**
 * The parameters of a request, or a hash among them, with typed readers. `rejectUnknown` refuses
 * those that nothing has read.
 *
 * In Stripe's API an empty string unsets a value: `clearable…` gives null, the others refuse it.
 */
export class Params {
  private readonly read = new Set<string>();
  private readonly nested: Params[] = [];

  constructor(
    private readonly form: FormHash,
    private readonly prefix = "",
  ) {}

  nameOf(name: string): string {
    return this.prefix === "" ? name : `${this.prefix}[${name}]`;
  }

  has(name: string): boolean {
    return this.form.has(name);
  }

  isHash(name: string): boolean {
    return this.form.get(name) instanceof Map;
  }

  clearableText(name: string, max = MAX_TEXT): string | null | undefined {
    this.read.add(name);
    const value = this.form.get(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (typeof value !== "string")
      throw invalidParam({ message: `Texte attendu pour ${param}.`, param });
    if (value.length > max)
      throw invalidParam({
        message: `${param} est trop long : ${max} caractères au plus.`,
        param,
      });
    return value === "" ? null : value;
  }

  text(name: string, max?: number): string | undefined {
    const value = this.clearableText(name, max);
    if (value !== null) return value;
    const param = this.nameOf(name);
    throw invalidParam({
      code: "parameter_invalid_empty",
      message: `${param} ne peut pas être vide.`,
      param,
    });
  }

  requiredText(name: string): string {
    return this.text(name) ?? this.throwMissing(name);
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const param = this.nameOf(name);
    if (!/^-?\d{1,15}$/.test(value))
      throw invalidParam({
        code: "parameter_invalid_integer",
        message: `Nombre entier attendu pour ${param} : ${value}`,
        param,
      });
    return Number(value);
  }

  requiredInteger(name: string): number {
    return this.integer(name) ?? this.throwMissing(name);
  }

  boolean(name: string): boolean | undefined {
    const value = this.oneOf(name, ["true", "false"]);
    return value === undefined ? undefined : value === "true";
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const known = values.find((candidate) => candidate === value);
    if (known !== undefined) return known;
    const param = this.nameOf(name);
    throw invalidParam({
      message: `Valeur inconnue pour ${param} : ${value}. Valeurs possibles : ${values.join(", ")}.`,
      param,
    });
  }

  list(name: string): string[] {
    this.read.add(name);
    const value = this.form.get(name);
    if (value === undefined || value === "") return [];
    const items = typeof value === "string" ? [value] : [...value.values()];
    return items.map((item) => {
      if (typeof item === "string") return item;
      const param = this.nameOf(name);
      throw invalidParam({ message: `Liste de textes attendue pour ${param}.`, param });
    });
  }

  clearableHash(name: string): Params | null | undefined {
    this.read.add(name);
    const value = this.form.get(name);
    if (value === undefined) return undefined;
    if (value === "") return null;
    const param = this.nameOf(name);
    if (typeof value === "string")
      throw invalidParam({ message: `Groupe de valeurs attendu pour ${param}.`, param });
    const params = new Params(value, param);
    this.nested.push(params);
    return params;
  }

  hash(name: string): Params | undefined {
    return this.clearableHash(name) ?? undefined;
  }

  /** The metadata after the request: keys are merged, an empty value removes one. */
  metadata(before: Readonly<Record<string, string>>): Record<string, string> {
    this.read.add("metadata");
    const value = this.form.get("metadata");
    if (value === undefined) return { ...before };
    if (value === "") return {};
    const refuse = (param: string, message: string): never => {
      throw invalidParam({ message, param });
    };
    if (typeof value === "string") return refuse("metadata", "metadata doit être un groupe.");
    const merged = new Map(Object.entries(before));
    for (const [key, text] of value) {
      const param = `metadata[${key}]`;
      if (typeof text !== "string") return refuse(param, "Une métadonnée est un texte.");
      if (key.length > MAX_METADATA_KEY)
        refuse(param, `Le nom d'une métadonnée a ${MAX_METADATA_KEY} caractères au plus.`);
      if (text.length > MAX_METADATA_VALUE)
        refuse(param, `La valeur d'une métadonnée a ${MAX_METADATA_VALUE} caractères au plus.`);
      if (text === "") merged.delete(key);
      else merged.set(key, text);
    }
    if (merged.size > MAX_METADATA_KEYS)
      refuse("metadata", `Il peut y avoir ${MAX_METADATA_KEYS} métadonnées au plus.`);
    return Object.fromEntries(merged);
  }

  /** @throws ApiError (400) for a parameter that nothing has read */
  rejectUnknown(): void {
    for (const name of this.form.keys()) {
      if (this.read.has(name)) continue;
      const param = this.nameOf(name);
      throw invalidParam({
        code: "parameter_unknown",
        message: `Paramètre inconnu : ${param}`,
        param,
      });
    }
    for (const params of this.nested) params.rejectUnknown();
  }

  private throwMissing(name: string): never {
    const param = this.nameOf(name);
    throw invalidParam({
      code: "parameter_missing",
      message: `Paramètre obligatoire absent : ${param}.`,
      param,
    });
  }
}
