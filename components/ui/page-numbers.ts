/**
 * The page numbers to offer: the first, the last, and the current one with its neighbours, always
 * about as many, so that the width of the pagination does not change from page to page.
 * A gap is a negative number (-1 for the one before the current page, -2 after), usable as a key.
 */
export function pageNumbers(page: number, pageCount: number): number[] {
  if (pageCount <= 7) return Array.from({ length: pageCount }, (_, index) => index + 1);
  const from = Math.min(Math.max(page - 1, 3), pageCount - 4);
  const to = Math.max(Math.min(page + 1, pageCount - 2), 5);
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [1, from > 3 ? -1 : 2, ...middle, to < pageCount - 2 ? -2 : pageCount - 1, pageCount];
}
