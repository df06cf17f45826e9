/**
 * What a form sends of an object that it was filled from: only what it changes, so that it undoes nothing that
 * somebody else has saved meanwhile. The API keeps what is not sent.
 */
export function changedFields<T extends object>(input: T, stored: { [Name in keyof T]?: unknown }) {
  const changed: Partial<T> = { ...input };
  for (const name of Object.keys(input) as (keyof T)[])
    if (input[name] === stored[name]) delete changed[name];
  return changed;
}
