import { POST as createInvoice } from "@/app/api/admin/invoices_create/route";
import { plainArrayPart } from "@/lib/http/api/paging";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { adminInvoices } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { invoiceListQuery } from "@/lib/invoices/admin-schemas";

// GET /api/admin/invoices – all invoices that are not archived
// POST /api/admin/invoices – an invoice written by hand, as POST /api/admin/invoices_create
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les factures",
    query: invoiceListQuery,
    run: ({ query: { page, itemsPerPage, ...query } }) =>
      adminInvoices.page({ ...query, ...plainArrayPart({ page, itemsPerPage }) }),
    csv: ({ query }) => adminInvoices.table(query),
    reply: collectionOf(adminInvoiceResource, { plainArray: true }),
  }),
  POST: createInvoice,
});
