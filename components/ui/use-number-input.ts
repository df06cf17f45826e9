import { useCallback, useState } from "react";
import { toNumberFieldValue } from "@/lib/numbers";

const INCOMPLETE = "Veuillez saisir un nombre, par exemple 12,50.";
const SECOND_SIGN = "Un nombre n’a qu’une virgule\u00a0: n’écrivez rien entre les milliers.";

/** Longest quoted text: pasted text may be a whole page. */
const MAX_QUOTED = 30;
const notANumber = (text: string) =>
  `«\u00a0${text.trim().slice(0, MAX_QUOTED)}\u00a0» n’est pas un nombre.`;

/** Inserts the text at the cursor as if it were typed, so that it can be undone. */
const insert = (text: string) => document.execCommand("insertText", false, text);

/** The selected text in the focused field. */
const selected = () => document.getSelection()?.toString() ?? "";

/**
 * Inserts a comma, or a point if the browser's language has no decimal comma: such a browser drops the
 * comma, and "12,50" would become 1250.
 */
function insertComma(input: HTMLInputElement): void {
  let isInserted = false;
  const onInput = () => {
    isInserted = true;
  };
  input.addEventListener("input", onInput);
  // Not over a selection: a dropped comma deletes the selection, which is an input event, too.
  if (selected() === "") insert(",");
  input.removeEventListener("input", onInput);
  if (!isInserted) insert(".");
}

/** Listens to the input. Returns the function that ends this. */
function readNumbers(input: HTMLInputElement, setProblem: (problem: string) => void): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let isInserting = false;

  const onBeforeInput = (event: InputEvent) => {
    const { data } = event;
    // A deletion has no data; text composed with an input method is not cancelable.
    if (isInserting || !data || !event.cancelable) return;
    const isSecondSign =
      /^[.,]$/.test(data) && input.value.includes(".") && !/[.,]/.test(selected());
    const number = isSecondSign ? null : toNumberFieldValue(data);
    if (number === data) return;
    event.preventDefault();
    if (number === null) return setProblem(isSecondSign ? SECOND_SIGN : notANumber(data));
    isInserting = true;
    if (data === ",") insertComma(input);
    else if (number !== "") insert(number);
    isInserting = false;
  };

  const onSubmit = (event: SubmitEvent) => {
    // To the form, the field would appear empty.
    if (!input.validity.badInput) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    setProblem(INCOMPLETE);
    input.focus();
  };

  const onWheel = () => {
    if (document.activeElement !== input) return;
    // Browsers do not change a read-only field: the page scrolls, and the field keeps the focus.
    input.readOnly = true;
    setTimeout(() => {
      input.readOnly = false;
    });
  };

  input.addEventListener("beforeinput", onBeforeInput, { signal });
  input.addEventListener("wheel", onWheel, { signal, passive: true });
  input.form?.addEventListener("submit", onSubmit, { signal, capture: true });
  return () => listeners.abort();
}

/**
 * For an `<input type="number">`. Commas, spaces between thousands and copied amounts are read the same in
 * every browser, any other text is refused with a message, and the mouse wheel changes nothing.
 */
export function useNumberInput() {
  /** The message about refused input, until something else is typed. */
  const [problem, setProblem] = useState<string | null>(null);
  const ref = useCallback(
    (input: HTMLInputElement | null) => (input ? readNumbers(input, setProblem) : undefined),
    [],
  );
  // Cleared by React in the same render as the new value: an earlier render would put the old value back.
  const onInput = () => setProblem(null);
  return { problem, numberProps: { ref, type: "number" as const, onInput } };
}
