type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
// The colour of a chip without a valid colour of its own.
const fallback: Rgb = [238, 238, 238];
// WCAG AA asks for 4.5. The margin is for rounding the result to whole channel values.
const readable = 4.6;

function parse(color: string | null | undefined): Rgb {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? "");
  if (!match) return fallback;
  const [, red = "", green = "", blue = ""] = match;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

function luminance(color: Rgb): number {
  const linear = (channel: number) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, darkened as little as needed for enough contrast with the background. */
function darkenUntilReadable(color: Rgb, background: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const shade = mix(color, black, share);
    if (contrast(shade, background) >= readable) return shade;
  }
  return black;
}

const css = (color: Rgb) => `rgb(${color.join(" ")})`;

/**
 * Three shades of a `#rrggbb` colour: a tint for backgrounds, an ink for text on the tint, and a solid
 * background for white text. Each pair has a contrast of at least 4.5:1, whatever the colour.
 */
export function chipColors(color: string | null | undefined) {
  const base = parse(color);
  const tint = base === fallback ? fallback : mix(base, white, 0.86);
  return {
    tint: css(tint),
    ink: css(darkenUntilReadable(base, tint)),
    solid: css(darkenUntilReadable(base, white)),
  };
}
