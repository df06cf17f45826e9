"use client";

import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, Input, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import {
  amountInput,
  checkboxesInput,
  checkboxInput,
  numberInput,
  textInput,
} from "@/components/backoffice/forms/inputs";
import { choicesOf, eurosOf, wholeNumberOf } from "@/components/backoffice/shared/option-sources";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import type { shippingMethodResource } from "@/lib/shipping-methods/admin-resource";
import { shippingMethodChange, shippingMethodInput } from "@/lib/shipping-methods/admin-schemas";
import { DEFAULT_ZONES, destinationsText } from "@/lib/shipping-methods/rules";
import { POSTAL_ZONE_LABELS } from "@/lib/shop/postal-zones";
import { weightBandJson, weightBandsInput } from "./weight-bands";

type MethodRow = JsonOf<typeof shippingMethodResource>;

/** "4,90 €", or one price for each band. */
function Prices({ method: { price, bands } }: { method: MethodRow }) {
  if (bands.length === 0) return formatAmount(price);
  return (
    <ul>
      {bands.map((band) => (
        <li key={band.maxWeight}>
          <span className="text-muted">{`Jusqu’à ${formatNumber(band.maxWeight)}\u00a0g\u00a0:`}</span>{" "}
          <span>{formatAmount(band.price)}</span>
        </li>
      ))}
    </ul>
  );
}

const activeInput: Input<boolean> = { ...checkboxInput, empty: true };

const postalCodesInput: Input<string, unknown, readonly string[]> = {
  ...textInput({
    optional: true,
    hint: "Entiers ou par leur début, séparés par des virgules\u00a0: 69003, 974",
  }),
  read: (codes) => codes.join(", "),
};

const amountCell = "lg:whitespace-nowrap tabular-nums";

const fields = {
  name: {
    label: "Nom",
    column: { isSortable: true, className: "lg:min-w-40 font-medium" },
    input: textInput({ required: true }),
  },
  delay: {
    label: "Délai",
    column: { className: "lg:min-w-36", cell: ({ delay }) => delay || "–" },
    input: textInput({ optional: true, placeholder: "2 à 3 jours ouvrés" }),
  },
  price: {
    label: "Prix",
    column: {
      isSortable: true,
      className: amountCell,
      cell: (method) => <Prices method={method} />,
    },
    input: amountInput(),
  },
  bands: {
    label: "Tranches de poids",
    input: weightBandsInput,
  },
  freeFrom: {
    label: "Offerte à partir de",
    column: {
      className: amountCell,
      cell: ({ freeFrom }) => (freeFrom === null ? "–" : formatAmount(freeFrom)),
    },
    input: amountInput({ required: false, optional: true }),
  },
  zones: {
    label: "Destinations",
    column: { className: "lg:min-w-44", cell: destinationsText },
    input: checkboxesInput(choicesOf(POSTAL_ZONE_LABELS), {
      empty: DEFAULT_ZONES,
      hint: "Outre-mer, la TVA est celle du lieu, et les prix la comprennent\u00a0: la boutique fait dédouaner ses colis.",
    }),
  },
  postalCodes: { label: "Codes postaux en plus", input: postalCodesInput },
  active: {
    label: "Actif",
    column: {},
    input: activeInput,
  },
  order: {
    label: "Ordre",
    column: { isSortable: true, className: "tabular-nums" },
    input: { ...numberInput({ min: 0, step: 1 }), empty: "0" },
  },
} satisfies FieldsOf<MethodRow>;

const methods: CrudEntity<MethodRow, ValuesOf<typeof fields>> = {
  path: "/api/shipping_methods",
  heading: "Gestion des modes de livraison (CRUD)",
  addLabel: "Ajouter un mode de livraison",
  editTitle: "Modifier le mode de livraison",
  emptyText: "Aucun mode de livraison trouvé.",
  deleteQuestion: "Supprimer ce mode de livraison\u202f?",
  saveFailed: "Erreur lors de la sauvegarde du mode de livraison.",
  searchHint: "Nom",
  historyName: "ShippingMethod",
  nameOf: ({ name }) => name,
  fileName: "livraison",
  fields,
  filters: [
    {
      kind: "choice",
      name: "active",
      label: "Actif",
      options: choicesOf({ true: "Oui", false: "Non" }),
    },
  ],
  layout: ({ field, values }) => (
    <>
      {field("name")}
      {field("delay")}
      {
        // One price, or one for each band.
        values.bands.length === 0 && field("price")
      }
      {field("bands")}
      {field("zones")}
      {field("postalCodes")}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {field("freeFrom")}
        {field("order")}
      </div>
      {field("active")}
    </>
  ),
  schema: (_, row) => (row ? shippingMethodChange : shippingMethodInput),
  toJson: ({ price, bands, freeFrom, order, ...values }) => ({
    ...values,
    price: bands.length > 0 && price === "" ? 0 : eurosOf(price),
    bands: bands.map(weightBandJson),
    freeFrom: eurosOf(freeFrom),
    order: wholeNumberOf(order),
  }),
};

export const BackofficeShippingMethodsScreen = () => <CrudScreen entity={methods} />;
