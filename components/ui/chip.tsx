import clsx from "clsx";
import type { ComponentProps, CSSProperties } from "react";
import { chipColor } from "@/components/ui/chip-color";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";

interface ChipStyle {
  /** `#rrggbb`: the colour of the dot, and of the chosen chip, darkened so that white text on it is readable. */
  color?: string | null;
  size?: "sm" | "md";
  className?: string;
}

function chipProps<Props extends ChipStyle>({ color, size = "sm", className, ...props }: Props) {
  return {
    ...props,
    className: clsx(
      // Stays on one line, except a name that is longer than the line.
      color && "chip-dot",
      "chip wrap-anywhere inline-flex w-max max-w-full shrink-0 items-center font-medium transition-shadow",
      size === "sm"
        ? "min-h-7 rounded-[0.875rem] px-2.5 py-1 text-xs"
        : "min-h-10 rounded-[1.25rem] px-4 py-1.5 text-sm",
      className,
    ),
    style: { "--chip-color": color ? chipColor(color) : "var(--color-accent)" } as CSSProperties,
  };
}

/** A name in its colour: a category or a tag in a list. */
export function Chip(props: ChipStyle & Omit<ComponentProps<"span">, "color">) {
  return <span {...chipProps(props)} />;
}

/** A link to the products of a category or tag; `aria-current="true"` marks the selected one. */
export function ChipLink(
  props: ChipStyle & Omit<ComponentProps<typeof HoverPrefetchLink>, "color">,
) {
  return <HoverPrefetchLink {...chipProps({ size: "md", ...props })} />;
}

/** A filter button; `aria-pressed` marks the selected one. */
export function ChipButton(props: ChipStyle & Omit<ComponentProps<"button">, "color">) {
  return <button type="button" {...chipProps({ size: "md", ...props })} />;
}
