import { POST as createInvoice } from "@/app/api/admin/invoices_create/route";
import { collectionOf } from "@/lib/http/api/reply";
import { methods, route } from "@/lib/http/api/route";
import { exportInvoices, listInvoices } from "@/lib/invoices/admin";
import { adminInvoiceResource } from "@/lib/invoices/admin-resource";
import { invoiceListQuery } from "@/lib/invoices/admin-schemas";

// GET /api/admin/invoices – all invoices that are not archived
// POST /api/admin/invoices – an invoice written by hand, as POST /api/admin/invoices_create
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: route({
    access: "admin",
    summary: "Lister les factures",
    query: invoiceListQuery,
    run: ({ query }) => listInvoices(query),
    csv: ({ query }) => exportInvoices(query),
    reply: collectionOf(adminInvoiceResource, { plainArray: true }),
  }),
  POST: createInvoice,
});
