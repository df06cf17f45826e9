import * as twoFactorActivation from "@/app/api/2fa/activate/route";
import * as twoFactorDeactivation from "@/app/api/2fa/deactivate/route";
import * as twoFactorCode from "@/app/api/2fa/verify/route";
import * as accountDeletion from "@/app/api/account/delete/[mode]/route";
import * as account from "@/app/api/account/route";
import * as anyAddress from "@/app/api/addresses/[id]/route";
import * as anyAddresses from "@/app/api/addresses/route";
import * as addressDefault from "@/app/api/addresses_front/[id]/default/route";
import * as addressDefaultBilling from "@/app/api/addresses_front/[id]/default-billing/route";
import * as address from "@/app/api/addresses_front/[id]/route";
import * as addresses from "@/app/api/addresses_front/route";
import * as categoryWithProducts from "@/app/api/admin/categories/[id]/delete-with-products/route";
import * as dashboard from "@/app/api/admin/dashboard/route";
import * as history from "@/app/api/admin/history/[entity]/[id]/route";
import * as adminInvoice from "@/app/api/admin/invoices/[id]/route";
import * as adminInvoices from "@/app/api/admin/invoices/route";
import * as invoiceCreation from "@/app/api/admin/invoices_create/route";
import * as invoiceDeletion from "@/app/api/admin/invoices_delete/[id]/route";
import * as invoiceUpdate from "@/app/api/admin/invoices_update/[id]/route";
import * as seller from "@/app/api/admin/seller/route";
import * as userTwoFactor from "@/app/api/admin/users/[id]/2fa/route";
import * as adminUser from "@/app/api/admin/users/[id]/route";
import * as adminUsers from "@/app/api/admin/users/route";
import * as adminOrder from "@/app/api/admin_orders/[id]/route";
import * as adminOrders from "@/app/api/admin_orders/route";
import * as cartAddition from "@/app/api/cart/add/route";
import * as orderConfirmation from "@/app/api/cart/confirm-order/route";
import * as cartItem from "@/app/api/cart/item/[id]/route";
import * as paymentIntent from "@/app/api/cart/payment-intent/route";
import * as cart from "@/app/api/cart/route";
import * as anyCart from "@/app/api/carts/[id]/route";
import * as anyCarts from "@/app/api/carts/route";
import * as category from "@/app/api/categories/[id]/route";
import * as categories from "@/app/api/categories/route";
import * as purchaseCheck from "@/app/api/check-purchase/[id]/route";
import * as checkoutConfiguration from "@/app/api/checkout/configuration/route";
import * as contact from "@/app/api/contact/route";
import * as context from "@/app/api/contexts/[name]/route";
import * as unfinishedCheckouts from "@/app/api/cron/checkouts/route";
import * as outbox from "@/app/api/cron/outbox/route";
import * as takenPayments from "@/app/api/cron/payments/route";
import * as unusedPictures from "@/app/api/cron/pictures/route";
import * as digitalProduct from "@/app/api/digital_products/[id]/route";
import * as digitalProducts from "@/app/api/digital_products/route";
import * as docs from "@/app/api/docs/route";
import * as openApi from "@/app/api/docs.json/route";
import * as hydraDocs from "@/app/api/docs.jsonld/route";
import * as health from "@/app/api/health/route";
import * as home from "@/app/api/home/route";
import * as invoiceDownload from "@/app/api/invoices/[id]/download/route";
import * as login from "@/app/api/login_check/route";
import * as logout from "@/app/api/logout/route";
import * as myOrders from "@/app/api/my-orders/route";
import * as order from "@/app/api/orders/[id]/route";
import * as orderWithdrawal from "@/app/api/orders/[id]/withdrawal/route";
import * as allOrders from "@/app/api/orders/route";
import * as orderDetail from "@/app/api/orders_details/[id]/route";
import * as physicalProduct from "@/app/api/physical_products/[id]/route";
import * as physicalProducts from "@/app/api/physical_products/route";
import * as product from "@/app/api/products/[id]/route";
import * as products from "@/app/api/products/route";
import * as ready from "@/app/api/ready/route";
import * as reauthentication from "@/app/api/reauthenticate/route";
import * as registration from "@/app/api/register/route";
import * as resetConfirmation from "@/app/api/reset-password/confirm/route";
import * as resetRequest from "@/app/api/reset-password/route";
import * as resetToken from "@/app/api/reset-password/verify/[token]/route";
import * as review from "@/app/api/reviews/[id]/route";
import * as reviews from "@/app/api/reviews/route";
import * as reviewCreation from "@/app/api/reviews_create/route";
import * as reviewEdit from "@/app/api/reviews_edit/[id]/route";
import * as entrypoint from "@/app/api/route";
import * as paymentEvents from "@/app/api/stripe/webhook/route";
import * as tag from "@/app/api/tags/[id]/route";
import * as tags from "@/app/api/tags/route";
import * as upload from "@/app/api/upload/route";
import * as user from "@/app/api/users/[id]/route";
import * as users from "@/app/api/users/route";
import * as usersWithoutCart from "@/app/api/users-without-cart/route";
import * as emailConfirmation from "@/app/api/verify-email/[token]/route";

/**
 * Every route of the API by group (the documentation's headings) and path: what the Hydra and the
 * OpenAPI documentation are made from. A test compares it with the files below app/api.
 */
export const API_INDEX = {
  Catalogue: {
    "/api/products": products,
    "/api/products/{id}": product,
    "/api/physical_products": physicalProducts,
    "/api/physical_products/{id}": physicalProduct,
    "/api/digital_products": digitalProducts,
    "/api/digital_products/{id}": digitalProduct,
    "/api/categories": categories,
    "/api/categories/{id}": category,
    "/api/tags": tags,
    "/api/tags/{id}": tag,
    "/api/home": home,
  },
  Utilisateurs: {
    "/api/users": users,
    "/api/users/{id}": user,
    "/api/admin/users": adminUsers,
    "/api/admin/users/{id}": adminUser,
    "/api/admin/users/{id}/2fa": userTwoFactor,
    "/api/users-without-cart": usersWithoutCart,
  },
  Session: {
    "/api/login_check": login,
    "/api/2fa/verify": twoFactorCode,
    "/api/2fa/activate": twoFactorActivation,
    "/api/2fa/deactivate": twoFactorDeactivation,
    "/api/reauthenticate": reauthentication,
    "/api/logout": logout,
  },
  Compte: {
    "/api/register": registration,
    "/api/verify-email/{token}": emailConfirmation,
    "/api/reset-password": resetRequest,
    "/api/reset-password/verify/{token}": resetToken,
    "/api/reset-password/confirm": resetConfirmation,
    "/api/account": account,
    "/api/account/delete/{mode}": accountDeletion,
  },
  Adresses: {
    "/api/addresses_front": addresses,
    "/api/addresses_front/{id}": address,
    "/api/addresses_front/{id}/default": addressDefault,
    "/api/addresses_front/{id}/default-billing": addressDefaultBilling,
  },
  Panier: {
    "/api/cart": cart,
    "/api/cart/add": cartAddition,
    "/api/cart/item/{id}": cartItem,
    "/api/cart/payment-intent": paymentIntent,
    "/api/cart/confirm-order": orderConfirmation,
    "/api/checkout/configuration": checkoutConfiguration,
  },
  "Commandes du client": {
    "/api/my-orders": myOrders,
    "/api/orders_details/{id}": orderDetail,
    "/api/orders/{id}": order,
    "/api/orders/{id}/withdrawal": orderWithdrawal,
    "/api/invoices/{id}/download": invoiceDownload,
  },
  Avis: {
    "/api/reviews": reviews,
    "/api/reviews/{id}": review,
    "/api/reviews_create": reviewCreation,
    "/api/reviews_edit/{id}": reviewEdit,
    "/api/check-purchase/{id}": purchaseCheck,
  },
  Contact: {
    "/api/contact": contact,
  },
  Administration: {
    "/api/admin/dashboard": dashboard,
    "/api/admin/seller": seller,
    "/api/addresses": anyAddresses,
    "/api/addresses/{id}": anyAddress,
    "/api/carts": anyCarts,
    "/api/carts/{id}": anyCart,
    "/api/admin_orders": adminOrders,
    "/api/admin_orders/{id}": adminOrder,
    "/api/orders": allOrders,
    "/api/admin/invoices": adminInvoices,
    "/api/admin/invoices/{id}": adminInvoice,
    "/api/admin/invoices_create": invoiceCreation,
    "/api/admin/invoices_update/{id}": invoiceUpdate,
    "/api/admin/invoices_delete/{id}": invoiceDeletion,
    "/api/upload": upload,
    "/api/admin/categories/{id}/delete-with-products": categoryWithProducts,
    "/api/admin/history/{entity}/{id}": history,
  },
  Exploitation: {
    "/api/health": health,
    "/api/ready": ready,
    "/api/cron/outbox": outbox,
    "/api/cron/checkouts": unfinishedCheckouts,
    "/api/cron/payments": takenPayments,
    "/api/cron/pictures": unusedPictures,
    "/api/stripe/webhook": paymentEvents,
  },
  Documentation: {
    "/api": entrypoint,
    "/api/contexts/{name}": context,
    "/api/docs": docs,
    "/api/docs.json": openApi,
    "/api/docs.jsonld": hydraDocs,
  },
};
