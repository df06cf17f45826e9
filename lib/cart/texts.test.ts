import { expect, test } from "@playwright/test";
import { articlesText } from "./texts";

test("articles are counted with a space between thousands", () => {
  expect([0, 1, 2, 2715].map(articlesText)).toEqual([
    "0 article",
    "1 article",
    "2 articles",
    "2\u202f715 articles",
  ]);
});
