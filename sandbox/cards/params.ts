import { invalidParam } from "@/sandbox/cards/api-error";

/**
 * The parameters of a request by their names, such as `payment_method_data[card][number]`, with typed
 * readers. `rejectUnknown` refuses those that nothing has read.
 */
export class Params {
  private readonly read = new Set<string>();

  constructor(private readonly form: URLSearchParams) {}

  text(name: string): string | undefined {
    this.read.add(name);
    const value = this.form.get(name) ?? undefined;
    if (value === "")
      throw invalidParam({
        code: "parameter_invalid_empty",
        message: `${name} ne peut pas être vide.`,
        param: name,
      });
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw invalidParam({
      code: "parameter_missing",
      message: `Paramètre obligatoire absent : ${name}.`,
      param: name,
    });
  }

  integer(name: string): number | undefined {
    return this.text(name) === undefined ? undefined : this.requiredInteger(name);
  }

  requiredInteger(name: string): number {
    const value = this.requiredText(name);
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw invalidParam({
      code: "parameter_invalid_integer",
      message: `Nombre entier attendu pour ${name} : ${value}`,
      param: name,
    });
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    const known = values.find((candidate) => candidate === value);
    if (value === undefined || known !== undefined) return known;
    throw invalidParam({ message: `Valeur inconnue pour ${name} : ${value}.`, param: name });
  }

  /** The values of `name[key]`, by key: `metadata[shop]`, `expand[0]`. */
  group(name: string): Record<string, string> {
    const entries: [string, string][] = [];
    for (const [param, value] of this.form) {
      if (!param.startsWith(`${name}[`) || !param.endsWith("]")) continue;
      this.read.add(param);
      entries.push([param.slice(name.length + 1, -1), value]);
    }
    return Object.fromEntries(entries);
  }

  /** @throws ApiError (400) for a parameter that nothing has read */
  rejectUnknown(): void {
    for (const param of this.form.keys())
      if (!this.read.has(param))
        throw invalidParam({
          code: "parameter_unknown",
          message: `Paramètre inconnu : ${param}`,
          param,
        });
  }
}
