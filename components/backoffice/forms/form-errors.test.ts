import { expect, test } from "@playwright/test";
import { ApiError } from "@/lib/api-error";
import { errorsOfProblems, problemsOfErrors, sentencesOf } from "./form-errors";

test("every message of a field is kept, once and in order", () => {
  const errors = {
    email: { type: "custom", message: "A", types: { custom: ["A", "B"], too_big: "C" } },
    name: { type: "custom", message: "A" },
  };
  expect(problemsOfErrors(errors)).toEqual([
    { field: "email", message: "A" },
    { field: "email", message: "B" },
    { field: "email", message: "C" },
    { field: "name", message: "A" },
  ]);
});

test("an error in an item of a list has the item's path", () => {
  const errors = { items: [undefined, { quantity: { type: "custom", message: "Trop" } }] };
  expect(problemsOfErrors(errors)).toEqual([{ field: "items.1.quantity", message: "Trop" }]);
});

test("messages become one error per field, from which the messages can be read again", () => {
  const problems = [
    { field: "email", message: "A" },
    { message: "B" },
    { field: "email", message: "C" },
  ];
  const errors = errorsOfProblems(problems);
  expect(errors.map(({ field, error }) => [field, error.message])).toEqual([
    ["email", "A"],
    ["root", "B"],
  ]);
  expect(
    problemsOfErrors(Object.fromEntries(errors.map(({ field, error }) => [field, error]))),
  ).toEqual([
    { field: "email", message: "A" },
    { field: "email", message: "C" },
    { field: "root", message: "B" },
  ]);
});

test("an API message that belongs to no field of the form is shown for the whole form", () => {
  const about = { fields: /^(amount|reason)$/, failed: "Échec" };
  const violations = [
    { propertyPath: "reason", message: "Trop long" },
    { propertyPath: "items[0].quantity", message: "Trop" },
  ];
  const refused = new ApiError({ status: 422, message: "422", body: { violations } });
  expect(sentencesOf(refused, about)).toEqual({ reason: "Trop long", "": "Trop" });
  const lost = new ApiError({ status: 0, message: "" });
  expect(sentencesOf(lost, about)).toEqual({ "": "Échec" });
});
