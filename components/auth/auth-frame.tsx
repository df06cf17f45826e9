import type { ReactNode } from "react";

interface AuthFrameProps {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Where else to go, below the card. */
  footer?: ReactNode;
}

/** The layout of registration, login and the like: a title and one card. */
export function AuthFrame({ title, intro, children, footer }: AuthFrameProps) {
  return (
    <div className="page-column flex justify-center py-8 md:py-14">
      <div className="w-full max-w-xl">
        <h1 className="text-title">{title}</h1>
        {intro && <p className="mt-3 text-lg text-muted">{intro}</p>}
        <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
        <div className="mt-6 rounded-xl bg-surface p-5 sm:p-8 md:mt-8">{children}</div>
        {footer && <div className="mt-6 flex flex-col gap-2 text-muted">{footer}</div>}
      </div>
    </div>
  );
}
