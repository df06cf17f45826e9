import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { BusyButton } from "@/components/ui/busy-button";
import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import { Spinner } from "@/components/ui/spinner";

type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "danger-outline";
type ButtonSize = "sm" | "md" | "lg";

interface ButtonStyle {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** As wide as its container. */
  block?: boolean;
  className?: string;
}

const variants: Record<ButtonVariant, string> = {
  // Windows' high contrast mode draws transparent borders, so that the button keeps an edge.
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border-line-strong bg-bg text-ink hover:border-ink hover:bg-surface",
  ghost: "border-transparent text-ink hover:bg-surface",
  danger: "border-transparent bg-danger text-on-accent hover:bg-danger-strong",
  "danger-outline":
    "border-danger bg-bg text-danger hover:border-danger-strong hover:bg-danger-soft",
};

const sizes: Record<ButtonSize, string> = {
  sm: "min-h-9 px-3.5 text-sm",
  md: "min-h-11 px-5 text-base",
  lg: "min-h-13 px-7 text-base",
};

/** The classes of a button, for an element that is neither `Button` nor `ButtonLink`. */
export function buttonClass({ variant = "primary", size = "md", block, className }: ButtonStyle) {
  return clsx(
    "inline-flex select-none print:hidden items-center justify-center gap-2 rounded-md border py-1.5 text-center font-medium transition-colors",
    "disabled:cursor-not-allowed disabled:border-transparent disabled:bg-surface-strong disabled:text-muted",
    variants[variant],
    sizes[size],
    block && "w-full",
    className,
  );
}

interface ButtonProps extends ButtonStyle, ComponentProps<"button"> {
  /** A request is running: the button is disabled and shows `pendingLabel` with a spinner. */
  busy?: boolean;
  pendingLabel?: ReactNode;
}

export function Button({
  variant,
  size,
  block,
  className,
  busy = false,
  pendingLabel,
  type = "button",
  children,
  ...props
}: ButtonProps) {
  return (
    <BusyButton
      {...props}
      type={type}
      busy={busy}
      className={buttonClass({ variant, size, block, className })}
    >
      {busy && <Spinner size={18} />}
      {/* The key replaces the whole element: after a page translation, React no longer knows the text node. */}
      <span key={String(busy)} className="inline-flex items-center justify-center gap-2">
        {busy ? (pendingLabel ?? children) : children}
      </span>
    </BusyButton>
  );
}

interface ButtonLinkProps
  extends ButtonStyle,
    Omit<ComponentProps<typeof HoverPrefetchLink>, "className"> {}

/** A link that looks like a button: for navigation, not for actions. */
export function ButtonLink({ variant, size, block, className, ...props }: ButtonLinkProps) {
  return (
    <HoverPrefetchLink {...props} className={buttonClass({ variant, size, block, className })} />
  );
}
