/**
 * Something that the person who runs the shop must put right. The message is a complete French
 * text that says what is wrong and the way out; commands print it without a stack trace.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
