import { expect, test } from "@playwright/test";
import { chipColor } from "@/components/ui/chip-color";

/** WCAG 2.2 contrast of two "rgb(r g b)" texts, implemented a second time from the definition. */
function contrastRatio(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((digits) => {
      const share = Number(digits) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

test("white text on the colour of a chip is readable whatever the colour", () => {
  const steps = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const color = `#${red}${green}${blue}`;
        const contrast = contrastRatio(chipColor(color), "rgb(255 255 255)");
        expect(contrast, color).toBeGreaterThanOrEqual(4.5);
      }
});

test("a colour that is dark enough is not changed", () => {
  expect(chipColor("#14594A")).toBe("rgb(20 89 74)");
});

test("a colour that is not #rrggbb gives a grey chip", () => {
  for (const wrong of ["", "red", "#fff", "#12345g", "#1234567"]) {
    const [red, green, blue] = chipColor(wrong).match(/\d+/g) ?? [];
    expect([green, blue], wrong).toEqual([red, red]);
  }
});
