/**
 * Closes a panel of the page (popover) when the focus leaves it: it would cover what has the focus then
 * (WCAG 2.4.11). Returns the function that ends this.
 */
export function closePanelsLeft(): () => void {
  function onFocusIn({ target }: FocusEvent) {
    const panel = document.querySelector<HTMLElement>("[popover]:popover-open");
    if (!panel || !(target instanceof Element)) return;
    if (!panel.contains(target) && !target.matches(`[popovertarget="${panel.id}"]`))
      panel.hidePopover();
  }
  document.addEventListener("focusin", onFocusIn);
  return () => document.removeEventListener("focusin", onFocusIn);
}
