/** Uses the browser's storage; undefined if the browser forbids it (private mode, settings). */
export function withStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
