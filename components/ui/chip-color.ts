type Rgb = readonly [red: number, green: number, blue: number];

/** The colour of a chip whose own one is not valid. */
const GREY: Rgb = [238, 238, 238];
/** WCAG AA asks for 4.5. The margin is for rounding the result to whole channel values. */
const READABLE = 4.6;

function parse(color: string): Rgb {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) return GREY;
  const [, red = "", green = "", blue = ""] = match;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function contrastWithWhite([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return 1.05 / (luminance + 0.05);
}

/** A `#rrggbb` colour as a background for white text: darkened as little as a contrast of 4.5:1 needs. */
export function chipColor(color: string): string {
  const base = parse(color);
  let shade = base;
  for (let share = 1; contrastWithWhite(shade) < READABLE; share -= 0.04) {
    const darkened = (channel: number) => Math.round(channel * share);
    shade = [darkened(base[0]), darkened(base[1]), darkened(base[2])];
  }
  return `rgb(${shade.join(" ")})`;
}
