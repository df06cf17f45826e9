import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

test("only use-number-input.ts makes inputs of type number", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const withNumbers = files.filter(
    (file) =>
      /(?<!\.test)\.tsx?$/.test(file) &&
      /"number" as const|type(?:=|: )"number"/.test(readFileSync(file, "utf8")),
  );
  expect(withNumbers).toEqual(["components/ui/use-number-input.ts"]);
});
