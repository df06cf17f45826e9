import type { ReactNode } from "react";

interface ProfileSectionProps {
  title: string;
  intro: ReactNode;
  children: ReactNode;
}

/** A section of the profile: the explanation on the left, the controls on the right. */
export function ProfileSection({ title, intro, children }: ProfileSectionProps) {
  return (
    <section className="grid gap-x-16 gap-y-5 border-line border-t py-8 first:border-t-0 first:pt-0 md:py-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
      <div>
        <h2 className="text-heading">{title}</h2>
        <p className="mt-2 max-w-prose text-muted">{intro}</p>
      </div>
      <div className="max-w-xl">{children}</div>
    </section>
  );
}
