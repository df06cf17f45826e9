/**
 * The fields of a form that differ from the stored object. A form sends only these, so that it does not
 * undo what somebody else has saved meanwhile. The API keeps fields that are not sent.
 */
export function changedFields<T extends object>(input: T, stored: { [Name in keyof T]?: unknown }) {
  const changed: Partial<T> = { ...input };
  for (const name of Object.keys(input) as (keyof T)[])
    if (input[name] === stored[name]) delete changed[name];
  return changed;
}
