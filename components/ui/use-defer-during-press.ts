import { useCallback, useEffect, useRef } from "react";

/**
 * Returns a function that runs a callback: at once, or, while a mouse button is down, after the
 * click. Pressing blurs the field that has the focus; a message that appears on that blur could move
 * the button from under the pointer, and there would be no click.
 */
export function useDeferDuringPress(): (run: () => void) => void {
  const isPressed = useRef(false);
  const deferred = useRef<(() => void) | null>(null);
  useEffect(() => {
    // Browsers dispatch mouse events after a touch, too.
    function start({ button }: MouseEvent) {
      isPressed.current = button === 0;
    }
    function end() {
      isPressed.current = false;
      const run = deferred.current;
      deferred.current = null;
      // The click event comes right after this event.
      if (run) setTimeout(run);
    }
    window.addEventListener("mousedown", start, true);
    const ends = ["mouseup", "dragend"];
    for (const type of ends) window.addEventListener(type, end, true);
    return () => {
      window.removeEventListener("mousedown", start, true);
      for (const type of ends) window.removeEventListener(type, end, true);
    };
  }, []);
  return useCallback((run) => {
    if (isPressed.current) deferred.current = run;
    else run();
  }, []);
}
