import type { CSSProperties } from "react";

// The colours of app/globals.css. Mail programs do not support custom properties. So each element has its
// light colour inline, and a class with which the style sheet below sets the dark colour.
export const light = {
  page: "#ffffff",
  ink: "#15201b",
  muted: "#55605a",
  line: "#dfe3dd",
  accent: "#14594a",
  onAccent: "#ffffff",
  soft: "#e4f0ea",
};

const dark = {
  page: "#141b18",
  ink: "#eef2ee",
  muted: "#a9b5ae",
  line: "#33403a",
  accent: "#8fd3bd",
  onAccent: "#0b2a22",
  soft: "#21352d",
};

const darkRules: Record<string, string> = {
  // react-email also copies the body's style to a table cell inside the body.
  ".page": `background-color: ${dark.page} !important`,
  ".page > table > tbody > tr > td": `background-color: ${dark.page} !important`,
  ".ink": `color: ${dark.ink} !important`,
  ".muted": `color: ${dark.muted} !important`,
  ".line": `border-color: ${dark.line} !important`,
  ".done": `background-color: ${dark.accent} !important`,
  ".todo": `background-color: ${dark.line} !important`,
  ".accent": `color: ${dark.accent} !important`,
  ".button": `background-color: ${dark.accent} !important; color: ${dark.onAccent} !important`,
  ".soft": `background-color: ${dark.soft} !important; border-color: ${dark.accent} !important; color: ${dark.ink} !important`,
};

// Outlook.com sets these two attributes in its dark mode.
export const styleSheet = [
  ":root { color-scheme: light dark; supported-color-schemes: light dark; }",
  "@media (prefers-color-scheme: dark) {",
  ...Object.entries(darkRules).map(([selector, rule]) => `${selector} { ${rule}; }`),
  "}",
  ...Object.entries(darkRules).map(
    ([selector, rule]) => `[data-ogsc] ${selector}, [data-ogsb] ${selector} { ${rule}; }`,
  ),
].join("\n");

export const fontFamily =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
// Break long URLs, names and e-mail addresses, which would make the mail wider than a phone.
export const text: CSSProperties = {
  fontSize: "16px",
  lineHeight: "26px",
  margin: "0 0 16px",
  wordBreak: "break-word",
};
