import path from "node:path";
import { expect, test } from "@playwright/test";
import type { JsxChild, Node, SourceFile } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { API, type Checker, SignatureKind, type Type, TypeFlags } from "typescript/unstable/sync";

// A browser that translates a page replaces text nodes with elements of its own. React still refers to the
// old text nodes: it cannot remove them, insert an element before them, or change the visible text. A text
// that is the only child of its element is safe, because React sets the element's content. So a text needs
// an element of its own if it may change or disappear, or if something may appear before it.

const ROOT = path.join(import.meta.dirname, "..");

/** What an expression may show. */
interface Shown {
  /** A text that is not always the same. */
  text: boolean;
  constantText: boolean;
  /** Anything: the type is `ReactNode`. */
  anything: boolean;
  list: boolean;
  /** Sometimes an element, sometimes nothing. */
  isConditional: boolean;
}

const NOTHING: Shown = {
  text: false,
  constantText: false,
  anything: false,
  list: false,
  isConditional: false,
};

const TEXT = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BigIntLike;
const EMPTY = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void | TypeFlags.BooleanLike;

/** The type that `&&` leaves of an empty text, zero or `false`. React shows zero, which is another fault. */
const isFalsy = (type: Type) => type.isLiteralType() && !type.value;

function shownBy(type: Type, checker: Checker): Shown {
  if (checker.typeToString(type).includes("ReactNode"))
    return { ...NOTHING, anything: true, isConditional: true };
  const parts = type.isUnionType() ? type.getTypes() : [type];
  const isEmpty = (part: Type) => (part.flags & EMPTY) !== 0 || isFalsy(part);
  const isText = (part: Type) => (part.flags & TEXT) !== 0 && !isFalsy(part);
  const lists = parts.filter((part) => checker.isArrayLikeType(part));
  const items = lists.flatMap((list) =>
    list.isTypeReference() ? checker.getTypeArguments(list) : [],
  );
  const isConstant = parts.length === 1 && type.isLiteralType();
  return {
    ...NOTHING,
    text: (parts.some(isText) && !isConstant) || items.some((item) => shownBy(item, checker).text),
    constantText: isConstant && isText(type),
    list: lists.length > 0,
    isConditional:
      lists.length > 0 ||
      (parts.some(isEmpty) && parts.some((part) => !isEmpty(part) && !isText(part))),
  };
}

function shownByChild(child: JsxChild, checker: Checker): Shown {
  if (is.isJsxText(child)) return { ...NOTHING, constantText: true };
  if (is.isJsxExpression(child)) {
    const type = child.expression && checker.getTypeAtLocation(child.expression);
    return type ? shownBy(type, checker) : NOTHING;
  }
  const opening = is.isJsxElement(child) ? child.openingElement : child;
  const component = "tagName" in opening && checker.getTypeAtLocation(opening.tagName);
  const [signature] = component ? checker.getSignaturesOfType(component, SignatureKind.Call) : [];
  const type = signature && checker.getReturnTypeOfSignature(signature);
  // The types of HTML elements and of library components do not tell what is shown.
  const shown = type ? shownBy(type, checker) : NOTHING;
  return shown.anything ? NOTHING : shown;
}

/** False for the line break between two lines of JSX, and for `{}` around a comment. */
function isShown(child: JsxChild): boolean {
  if (is.isJsxText(child)) return child.text.trim() !== "" || !child.text.includes("\n");
  return !is.isJsxExpression(child) || child.expression !== undefined;
}

/** The problems of the texts among the children of an element or a fragment. */
function problemsOf(parent: Node & { children: Iterable<JsxChild> }, checker: Checker) {
  const problems: { node: Node; problem: string }[] = [];
  const children = [...parent.children].filter(isShown);
  let mayAppearBefore = false;
  for (const node of children) {
    const { text, constantText, anything, list, isConditional } = shownByChild(node, checker);
    const add = (problem: string) => problems.push({ node, problem });
    if (text && list) add("is a list of texts");
    else if (text && !is.isJsxExpression(node)) add("is a component that is a text");
    else if (text && children.length > 1) add("changes beside others");
    else if ((text || constantText) && is.isJsxFragment(parent)) add("is directly in a fragment");
    else if ((constantText || anything) && mayAppearBefore) add("is behind what comes and goes");
    mayAppearBefore ||= isConditional;
  }
  return problems;
}

/** "components/ui/button.tsx:12 changes beside others: {label}", for a file. */
function problemsIn(file: SourceFile, checker: Checker): string[] {
  const found: string[] = [];
  function visit(node: Node): void {
    if (is.isJsxElement(node) || is.isJsxFragment(node))
      for (const { node: child, problem } of problemsOf(node, checker)) {
        const source = file.text.slice(child.pos, child.end);
        const start = child.pos + source.length - source.trimStart().length;
        const line = file.text.slice(0, start).split("\n").length;
        const shown = source.trim().replace(/\s+/g, " ");
        found.push(`${path.relative(ROOT, file.fileName)}:${line} ${problem}: ${shown}`);
      }
    node.forEachChild(visit);
  }
  visit(file);
  return found;
}

/** The sample replaces the content of this file. */
const SAMPLE = path.join(ROOT, "components/ui/skeleton.tsx");
const SAMPLE_TEXT = `
import type { ReactNode } from "react";
const Maybe = ({ on }: { on: boolean }) => (on ? <hr /> : null);
const Name = ({ name }: { name: string | null }) => name ?? <i>inconnu</i>;
export const Skeleton = ({ n, on, children }: { n: number; on: boolean; children: ReactNode }) => (
  <>
    <p>Toujours <b>le même</b> texte{" "}<i>ici</i></p>
    <p>{n}</p>
    <p>{on ? "oui" : <b>non</b>}</p>
    <p>{"Il en reste " + n} {on && <b>Vite</b>}</p>
    <p><b>Quantité</b> {n}</p>
    <p>Article{n > 1 && "s"}</p>
    <p>{on && <hr />}Texte</p>
    <p><Maybe on={on} /> texte</p>
    <p>Texte <Maybe on={on} /></p>
    <p>{on && <hr />}{children}</p>
    <p>{["a", "b"].map((each) => each.repeat(n))}</p>
    <p><Name name="Ana" /></p>
    <p>{on && <>Texte <b>gras</b></>}</p>
    {children}
  </>
);
`;

test("every text that changes, or that follows a conditional element, is wrapped in its own element", () => {
  // The TypeScript program has all the shop's files.
  test.slow();
  const api = new API({
    cwd: ROOT,
    fs: { readFile: (name) => (name === SAMPLE ? SAMPLE_TEXT : undefined) },
  });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [path.join(ROOT, "tsconfig.json")] });
    const { program, checker } = snapshot.getProjects()[0] as NonNullable<
      ReturnType<typeof snapshot.getProject>
    >;
    const problems = program
      .getSourceFileNames()
      .filter((name) => /^(app|components)\/.*\.tsx$/.test(path.relative(ROOT, name)))
      .flatMap((name) => problemsIn(program.getSourceFile(name) as SourceFile, checker));
    const ofSample = problems.filter((problem) => problem.startsWith("components/ui/skeleton.tsx"));
    expect(ofSample.map((problem) => problem.replace(/^\S+ /, ""))).toEqual([
      'changes beside others: {"Il en reste " + n}',
      "changes beside others: {n}",
      'changes beside others: {n > 1 && "s"}',
      "is behind what comes and goes: Texte",
      "is behind what comes and goes: texte",
      "is behind what comes and goes: {children}",
      'is a list of texts: {["a", "b"].map((each) => each.repeat(n))}',
      'is a component that is a text: <Name name="Ana" />',
      "is directly in a fragment: Texte",
    ]);
    expect(problems.filter((problem) => !ofSample.includes(problem))).toEqual([]);
  } finally {
    api.close();
  }
});
