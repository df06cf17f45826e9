"use client";

import clsx from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

interface Tab {
  id: string;
  label: string;
  panel: ReactNode;
}

interface TabsProps {
  /** Names the tab list for screen readers. */
  label: string;
  tabs: readonly Tab[];
  /** The open tab, if controlled; otherwise the first one is open initially. */
  selected?: string;
  onSelect?: (id: string) => void;
  className?: string;
}

/**
 * Tabs with the keyboard of the ARIA pattern: arrows, Home and End select a tab and open it. All panels
 * are in the HTML; without JavaScript they are shown one below the other, each with a heading.
 */
export function Tabs({ label, tabs, selected, onSelect, className }: TabsProps) {
  const baseId = useId();
  const [own, setOwn] = useState(tabs[0]?.id);
  const current = selected ?? own;

  function select(id: string) {
    setOwn(id);
    onSelect?.(id);
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = tabs.length - 1;
    const index = tabs.findIndex((tab) => tab.id === current);
    const target = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (!tab) return;
    event.preventDefault();
    select(tab.id);
    document.getElementById(`${baseId}${tab.id}`)?.focus();
  }

  return (
    <div className={className}>
      <div
        role="tablist"
        aria-label={label}
        className="-mx-gutter flex snap-x scroll-px-gutter gap-6 overflow-x-auto md:gap-3 px-gutter shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none] noscript:hidden md:mx-0 md:scroll-px-0 md:px-0 lg:gap-8"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${baseId}${tab.id}`}
            aria-selected={tab.id === current}
            aria-controls={`${baseId}${tab.id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => select(tab.id)}
            onKeyDown={onKeyDown}
            className={clsx(
              "min-h-12 snap-start whitespace-nowrap border-b-2 font-medium transition-colors focus-visible:-outline-offset-4",
              tab.id === current
                ? "border-accent text-ink"
                : "border-transparent text-muted hover:text-ink",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${baseId}${tab.id}-panel`}
          aria-labelledby={`${baseId}${tab.id}`}
          className={clsx("pt-8", tab.id !== current && "hidden noscript:block")}
        >
          <noscript>
            <h2 className="pb-4 text-heading">{tab.label}</h2>
          </noscript>
          {tab.panel}
        </div>
      ))}
    </div>
  );
}
