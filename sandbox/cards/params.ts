import { invalidParam } from "@/sandbox/cards/api-error";
import type { Store } from "@/sandbox/cards/store";

/** An API request as passed to the functions that execute it, which run in a transaction. */
export interface ApiCall {
  /** The id in the path; empty for a path without an id. */
  id: string;
  params: Params;
  store: Store;
  /** Whether the request has a secret key; otherwise it comes from a buyer's browser. */
  isShop: boolean;
}

/**
 * Typed access to the parameters of a request by name, such as `payment_method_data[card][number]`.
 */
export class Params {
  /**
   * @param known the call's parameters; nested names, such as `shipping[name]`, are not checked
   * @throws ApiError (400) for an unknown parameter
   */
  constructor(
    private readonly form: URLSearchParams,
    known: ReadonlySet<string>,
  ) {
    const unknown = [...form.keys()].find((name) => !known.has(name.replace(/\[.*$/s, "")));
    if (unknown !== undefined)
      throw invalidParam(unknown, `Paramètre inconnu : ${unknown}`, "parameter_unknown");
  }

  text(name: string): string | undefined {
    return this.form.get(name) ?? undefined;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value !== undefined) return value;
    throw invalidParam(name, `Paramètre obligatoire absent : ${name}.`, "parameter_missing");
  }

  integer(name: string): number | undefined {
    return this.text(name) === undefined ? undefined : this.requiredInteger(name);
  }

  requiredInteger(name: string): number {
    const value = this.requiredText(name);
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    const message = `Nombre entier attendu pour ${name} : ${value}`;
    throw invalidParam(name, message, "parameter_invalid_integer");
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    const known = values.find((candidate) => candidate === value);
    if (value === undefined || known !== undefined) return known;
    throw invalidParam(name, `Valeur inconnue pour ${name} : ${value}.`);
  }

  /**
   * The values of `name[key]`, by key: `metadata[shop]`, `expand[0]`. An empty `name` is an empty group.
   *
   * @throws ApiError (400) if `name` has a text value
   */
  group(name: string): Record<string, string> {
    if (this.text(name)) throw invalidParam(name, `Objet ou liste attendu pour ${name}.`);
    const entries: [string, string][] = [];
    for (const [param, value] of this.form) {
      if (!param.startsWith(`${name}[`) || !param.endsWith("]")) continue;
      entries.push([param.slice(name.length + 1, -1), value]);
    }
    return Object.fromEntries(entries);
  }
}
