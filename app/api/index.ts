// Every new route file is added here, below its heading of the documentation; index.test.ts names a missing one.
import * as api from "@/app/api/route";
import * as api2faActivate from "@/app/api/2fa/activate/route";
import * as api2faDeactivate from "@/app/api/2fa/deactivate/route";
import * as api2faVerify from "@/app/api/2fa/verify/route";
import * as apiAccount from "@/app/api/account/route";
import * as apiAccountDeleteMode from "@/app/api/account/delete/[mode]/route";
import * as apiAddresses from "@/app/api/addresses/route";
import * as apiAddressesId from "@/app/api/addresses/[id]/route";
import * as apiAddresses_front from "@/app/api/addresses_front/route";
import * as apiAddresses_frontId from "@/app/api/addresses_front/[id]/route";
import * as apiAddresses_frontIdDefault from "@/app/api/addresses_front/[id]/default/route";
import * as apiAddresses_frontIdDefaultBilling from "@/app/api/addresses_front/[id]/default-billing/route";
import * as apiAdminCategoriesIdDeleteWithProducts from "@/app/api/admin/categories/[id]/delete-with-products/route";
import * as apiAdminDashboard from "@/app/api/admin/dashboard/route";
import * as apiAdminHistoryEntityId from "@/app/api/admin/history/[entity]/[id]/route";
import * as apiAdminInvoices from "@/app/api/admin/invoices/route";
import * as apiAdminInvoicesId from "@/app/api/admin/invoices/[id]/route";
import * as apiAdminInvoicesIdVersions from "@/app/api/admin/invoices/[id]/versions/route";
import * as apiAdminInvoicesIdVersionsVersionDownload from "@/app/api/admin/invoices/[id]/versions/[version]/download/route";
import * as apiAdminInvoices_create from "@/app/api/admin/invoices_create/route";
import * as apiAdminInvoices_deleteId from "@/app/api/admin/invoices_delete/[id]/route";
import * as apiAdminInvoices_updateId from "@/app/api/admin/invoices_update/[id]/route";
import * as apiAdminMailsId from "@/app/api/admin/mails/[id]/route";
import * as apiAdminMails_retry from "@/app/api/admin/mails_retry/route";
import * as apiAdminSeller from "@/app/api/admin/seller/route";
import * as apiAdminUsers from "@/app/api/admin/users/route";
import * as apiAdminUsersId from "@/app/api/admin/users/[id]/route";
import * as apiAdminUsersId2fa from "@/app/api/admin/users/[id]/2fa/route";
import * as apiAdmin_orders from "@/app/api/admin_orders/route";
import * as apiAdmin_ordersId from "@/app/api/admin_orders/[id]/route";
import * as apiAdmin_ordersIdDeliver from "@/app/api/admin_orders/[id]/deliver/route";
import * as apiAdmin_ordersIdPrepare from "@/app/api/admin_orders/[id]/prepare/route";
import * as apiAdmin_ordersIdRefunds from "@/app/api/admin_orders/[id]/refunds/route";
import * as apiAdmin_ordersIdShipments from "@/app/api/admin_orders/[id]/shipments/route";
import * as apiCart from "@/app/api/cart/route";
import * as apiCartAdd from "@/app/api/cart/add/route";
import * as apiCartConfirmOrder from "@/app/api/cart/confirm-order/route";
import * as apiCartItemId from "@/app/api/cart/item/[id]/route";
import * as apiCartPaymentIntent from "@/app/api/cart/payment-intent/route";
import * as apiCarts from "@/app/api/carts/route";
import * as apiCartsId from "@/app/api/carts/[id]/route";
import * as apiCategories from "@/app/api/categories/route";
import * as apiCategoriesId from "@/app/api/categories/[id]/route";
import * as apiCheckPurchaseId from "@/app/api/check-purchase/[id]/route";
import * as apiCheckoutConfiguration from "@/app/api/checkout/configuration/route";
import * as apiContact from "@/app/api/contact/route";
import * as apiContextsName from "@/app/api/contexts/[name]/route";
import * as apiCreditNotesIdDownload from "@/app/api/credit-notes/[id]/download/route";
import * as apiCredit_notes from "@/app/api/credit_notes/route";
import * as apiCredit_notesId from "@/app/api/credit_notes/[id]/route";
import * as apiCronCheckouts from "@/app/api/cron/checkouts/route";
import * as apiCronOutbox from "@/app/api/cron/outbox/route";
import * as apiCronPayments from "@/app/api/cron/payments/route";
import * as apiCronPictures from "@/app/api/cron/pictures/route";
import * as apiCronProducts from "@/app/api/cron/products/route";
import * as apiDigital_products from "@/app/api/digital_products/route";
import * as apiDigital_productsId from "@/app/api/digital_products/[id]/route";
import * as apiDocs from "@/app/api/docs/route";
import * as apiDocsJson from "@/app/api/docs.json/route";
import * as apiDocsJsonld from "@/app/api/docs.jsonld/route";
import * as apiDocsViewerJs from "@/app/api/docs/viewer.js/route";
import * as apiHealth from "@/app/api/health/route";
import * as apiHome from "@/app/api/home/route";
import * as apiInvoicesIdDownload from "@/app/api/invoices/[id]/download/route";
import * as apiLogin_check from "@/app/api/login_check/route";
import * as apiLogout from "@/app/api/logout/route";
import * as apiMyOrders from "@/app/api/my-orders/route";
import * as apiOrders from "@/app/api/orders/route";
import * as apiOrdersId from "@/app/api/orders/[id]/route";
import * as apiOrdersIdWithdrawal from "@/app/api/orders/[id]/withdrawal/route";
import * as apiOrders_detailsId from "@/app/api/orders_details/[id]/route";
import * as apiPacking_slips from "@/app/api/packing_slips/route";
import * as apiPhysical_products from "@/app/api/physical_products/route";
import * as apiPhysical_productsId from "@/app/api/physical_products/[id]/route";
import * as apiProduct_facets from "@/app/api/product_facets/route";
import * as apiProducts from "@/app/api/products/route";
import * as apiProductsId from "@/app/api/products/[id]/route";
import * as apiProductsIdRelated from "@/app/api/products/[id]/related/route";
import * as apiProductsIdStock_movements from "@/app/api/products/[id]/stock_movements/route";
import * as apiReady from "@/app/api/ready/route";
import * as apiReauthenticate from "@/app/api/reauthenticate/route";
import * as apiRegister from "@/app/api/register/route";
import * as apiResetPassword from "@/app/api/reset-password/route";
import * as apiResetPasswordConfirm from "@/app/api/reset-password/confirm/route";
import * as apiResetPasswordVerifyToken from "@/app/api/reset-password/verify/[token]/route";
import * as apiReviews from "@/app/api/reviews/route";
import * as apiReviewsId from "@/app/api/reviews/[id]/route";
import * as apiReviews_create from "@/app/api/reviews_create/route";
import * as apiReviews_editId from "@/app/api/reviews_edit/[id]/route";
import * as apiShipmentsId from "@/app/api/shipments/[id]/route";
import * as apiShipping_methods from "@/app/api/shipping_methods/route";
import * as apiShipping_methodsId from "@/app/api/shipping_methods/[id]/route";
import * as apiStock_alerts from "@/app/api/stock_alerts/route";
import * as apiStock_alertsCancel from "@/app/api/stock_alerts/cancel/route";
import * as apiStock_alertsConfirm from "@/app/api/stock_alerts/confirm/route";
import * as apiStock_imports from "@/app/api/stock_imports/route";
import * as apiStripeWebhook from "@/app/api/stripe/webhook/route";
import * as apiSuggestions from "@/app/api/suggestions/route";
import * as apiTags from "@/app/api/tags/route";
import * as apiTagsId from "@/app/api/tags/[id]/route";
import * as apiUpload from "@/app/api/upload/route";
import * as apiUsers from "@/app/api/users/route";
import * as apiUsersWithoutCart from "@/app/api/users-without-cart/route";
import * as apiUsersId from "@/app/api/users/[id]/route";
import * as apiVerifyEmailToken from "@/app/api/verify-email/[token]/route";
import * as apiWithdrawals from "@/app/api/withdrawals/route";
import * as apiWithdrawalsId from "@/app/api/withdrawals/[id]/route";

/** Every route of the API, by the documentation's heading and by path. */
export const API_INDEX = {
  Catalogue: {
    "/api/categories": apiCategories,
    "/api/categories/{id}": apiCategoriesId,
    "/api/digital_products": apiDigital_products,
    "/api/digital_products/{id}": apiDigital_productsId,
    "/api/home": apiHome,
    "/api/physical_products": apiPhysical_products,
    "/api/physical_products/{id}": apiPhysical_productsId,
    "/api/product_facets": apiProduct_facets,
    "/api/products": apiProducts,
    "/api/products/{id}": apiProductsId,
    "/api/products/{id}/related": apiProductsIdRelated,
    "/api/products/{id}/stock_movements": apiProductsIdStock_movements,
    "/api/stock_alerts": apiStock_alerts,
    "/api/stock_alerts/cancel": apiStock_alertsCancel,
    "/api/stock_alerts/confirm": apiStock_alertsConfirm,
    "/api/stock_imports": apiStock_imports,
    "/api/suggestions": apiSuggestions,
    "/api/tags": apiTags,
    "/api/tags/{id}": apiTagsId,
  },
  Utilisateurs: {
    "/api/admin/users": apiAdminUsers,
    "/api/admin/users/{id}": apiAdminUsersId,
    "/api/admin/users/{id}/2fa": apiAdminUsersId2fa,
    "/api/users": apiUsers,
    "/api/users-without-cart": apiUsersWithoutCart,
    "/api/users/{id}": apiUsersId,
  },
  Session: {
    "/api/2fa/activate": api2faActivate,
    "/api/2fa/deactivate": api2faDeactivate,
    "/api/2fa/verify": api2faVerify,
    "/api/login_check": apiLogin_check,
    "/api/logout": apiLogout,
    "/api/reauthenticate": apiReauthenticate,
  },
  Compte: {
    "/api/account": apiAccount,
    "/api/account/delete/{mode}": apiAccountDeleteMode,
    "/api/register": apiRegister,
    "/api/reset-password": apiResetPassword,
    "/api/reset-password/confirm": apiResetPasswordConfirm,
    "/api/reset-password/verify/{token}": apiResetPasswordVerifyToken,
    "/api/verify-email/{token}": apiVerifyEmailToken,
  },
  Adresses: {
    "/api/addresses_front": apiAddresses_front,
    "/api/addresses_front/{id}": apiAddresses_frontId,
    "/api/addresses_front/{id}/default": apiAddresses_frontIdDefault,
    "/api/addresses_front/{id}/default-billing": apiAddresses_frontIdDefaultBilling,
  },
  Panier: {
    "/api/cart": apiCart,
    "/api/cart/add": apiCartAdd,
    "/api/cart/confirm-order": apiCartConfirmOrder,
    "/api/cart/item/{id}": apiCartItemId,
    "/api/cart/payment-intent": apiCartPaymentIntent,
    "/api/checkout/configuration": apiCheckoutConfiguration,
  },
  "Commandes du client": {
    "/api/credit-notes/{id}/download": apiCreditNotesIdDownload,
    "/api/invoices/{id}/download": apiInvoicesIdDownload,
    "/api/my-orders": apiMyOrders,
    "/api/orders/{id}": apiOrdersId,
    "/api/orders/{id}/withdrawal": apiOrdersIdWithdrawal,
    "/api/orders_details/{id}": apiOrders_detailsId,
  },
  Avis: {
    "/api/check-purchase/{id}": apiCheckPurchaseId,
    "/api/reviews": apiReviews,
    "/api/reviews/{id}": apiReviewsId,
    "/api/reviews_create": apiReviews_create,
    "/api/reviews_edit/{id}": apiReviews_editId,
  },
  Contact: {
    "/api/contact": apiContact,
  },
  Administration: {
    "/api/addresses": apiAddresses,
    "/api/addresses/{id}": apiAddressesId,
    "/api/admin/categories/{id}/delete-with-products": apiAdminCategoriesIdDeleteWithProducts,
    "/api/admin/dashboard": apiAdminDashboard,
    "/api/admin/history/{entity}/{id}": apiAdminHistoryEntityId,
    "/api/admin/invoices": apiAdminInvoices,
    "/api/admin/invoices/{id}": apiAdminInvoicesId,
    "/api/admin/invoices/{id}/versions": apiAdminInvoicesIdVersions,
    "/api/admin/invoices/{id}/versions/{version}/download": apiAdminInvoicesIdVersionsVersionDownload,
    "/api/admin/invoices_create": apiAdminInvoices_create,
    "/api/admin/invoices_delete/{id}": apiAdminInvoices_deleteId,
    "/api/admin/invoices_update/{id}": apiAdminInvoices_updateId,
    "/api/admin/mails/{id}": apiAdminMailsId,
    "/api/admin/mails_retry": apiAdminMails_retry,
    "/api/admin/seller": apiAdminSeller,
    "/api/admin_orders": apiAdmin_orders,
    "/api/admin_orders/{id}": apiAdmin_ordersId,
    "/api/admin_orders/{id}/deliver": apiAdmin_ordersIdDeliver,
    "/api/admin_orders/{id}/prepare": apiAdmin_ordersIdPrepare,
    "/api/admin_orders/{id}/refunds": apiAdmin_ordersIdRefunds,
    "/api/admin_orders/{id}/shipments": apiAdmin_ordersIdShipments,
    "/api/carts": apiCarts,
    "/api/carts/{id}": apiCartsId,
    "/api/credit_notes": apiCredit_notes,
    "/api/credit_notes/{id}": apiCredit_notesId,
    "/api/orders": apiOrders,
    "/api/packing_slips": apiPacking_slips,
    "/api/shipments/{id}": apiShipmentsId,
    "/api/shipping_methods": apiShipping_methods,
    "/api/shipping_methods/{id}": apiShipping_methodsId,
    "/api/upload": apiUpload,
    "/api/withdrawals": apiWithdrawals,
    "/api/withdrawals/{id}": apiWithdrawalsId,
  },
  Exploitation: {
    "/api/cron/checkouts": apiCronCheckouts,
    "/api/cron/outbox": apiCronOutbox,
    "/api/cron/payments": apiCronPayments,
    "/api/cron/pictures": apiCronPictures,
    "/api/cron/products": apiCronProducts,
    "/api/health": apiHealth,
    "/api/ready": apiReady,
    "/api/stripe/webhook": apiStripeWebhook,
  },
  Documentation: {
    "/api": api,
    "/api/contexts/{name}": apiContextsName,
    "/api/docs": apiDocs,
    "/api/docs.json": apiDocsJson,
    "/api/docs.jsonld": apiDocsJsonld,
    "/api/docs/viewer.js": apiDocsViewerJs,
  },
};
