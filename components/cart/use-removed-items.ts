import { useState } from "react";
import { ADD_FAILED, ADDED } from "@/lib/cart/addition-texts";
import { addToCart, removeCartItem } from "@/lib/cart/client";
import { type CartItemJson, isAvailable } from "@/lib/cart/rules";
import * as texts from "@/lib/cart/texts";

/** A call that changes the cart, with its messages. */
export interface Change {
  send: () => Promise<void>;
  done: string;
  failed: string;
  /** The change removes the pressed button: the focus goes to the heading. */
  movesFocus?: boolean;
}

/** A row of the cart's page: an item, or the place of an item that was just removed. */
interface CartRow {
  item: CartItemJson;
  isRemoved: boolean;
}

interface Removal {
  item: CartItemJson;
  /** Its place among the rows. */
  index: number;
}

/**
 * The rows of the cart's page, and the removal of items, which can be undone for a while.
 *
 * @param run makes a change, shows its message, and returns whether it was made
 */
export function useRemovedItems({
  items,
  run,
  focusHeading,
}: {
  items: readonly CartItemJson[] | null;
  run: (change: Change) => Promise<boolean>;
  focusHeading: () => void;
}) {
  const [removals, setRemovals] = useState<readonly Removal[]>([]);
  const drop = ({ id }: CartItemJson) =>
    setRemovals((all) => all.filter(({ item }) => item.id !== id));

  const rows: CartRow[] = (items ?? []).map((item) => ({ item, isRemoved: false }));
  for (const { item, index } of removals) {
    // The product may be in the cart again, by an addition in another tab.
    const isBack = rows.some((row) => row.item.product.id === item.product.id);
    if (!isBack) rows.splice(index, 0, { item, isRemoved: true });
  }

  async function remove(item: CartItemJson): Promise<void> {
    const index = rows.findIndex((row) => row.item.id === item.id);
    const canUndo = isAvailable(item);
    const isDone = await run({
      send: () => removeCartItem(item.id),
      done: texts.REMOVED,
      failed: texts.REMOVE_FAILED,
      movesFocus: !canUndo,
    });
    if (isDone && canUndo) setRemovals((all) => [...all, { item, index }]);
  }

  /** Adds the item again, at the end of the list. */
  async function undoRemoval(item: CartItemJson): Promise<void> {
    const { product, quantity } = item;
    const isDone = await run({
      send: () => addToCart({ productId: Number(product.id), quantity }),
      done: ADDED,
      failed: ADD_FAILED,
      movesFocus: true,
    });
    if (isDone) drop(item);
  }

  /** Removes the row of a removed item, once the time to undo is over. */
  function endUndo(item: CartItemJson, { hadFocus }: { hadFocus: boolean }): void {
    drop(item);
    if (hadFocus) focusHeading();
  }

  return { rows, remove, undoRemoval, endUndo, forgetRemovals: () => setRemovals([]) };
}
