/** What the shop calls itself: on its pages, in its mails, on its invoices. */
export const SHOP_NAME = "Mini Ecommerce";
