"use client";

import Link from "next/link";
import { Chips } from "@/components/backoffice/crud/cells";
import type { FieldsOf, Input, ValuesOf } from "@/components/backoffice/crud/crud-field";
import {
  amountInput,
  multiSearchInput,
  numberInput,
  searchInput,
  selectInput,
  textareaInput,
  textInput,
} from "@/components/backoffice/forms/inputs";
import {
  CATEGORIES,
  choicesOf,
  TAGS,
  wholeNumberOf,
} from "@/components/backoffice/shared/option-sources";
import { StockCell } from "@/components/backoffice/stock/stock-cell";
import { ProductImage } from "@/components/catalogue/product-image";
import { Badge } from "@/components/ui/badge";
import type { adminProductResource } from "@/lib/catalogue/admin-resource";
import {
  type DigitalField,
  FILE_SIZE_RANGE,
  type PhysicalField,
  WEIGHT_RANGE,
} from "@/lib/catalogue/admin-schemas";
import { PRODUCT_STATUS_LABELS } from "@/lib/catalogue/rules";
import { formatDateTime } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatAmount } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import { PRODUCT_TYPE_LABELS } from "@/lib/shop/product-type";
import { VAT_RATES } from "@/lib/shop/vat-rates";
import { MAX_STOCK } from "@/lib/stock/rules";
import { type Characteristic, CharacteristicList, withTyped } from "./characteristics";
import { ProductPictures } from "./product-pictures";
import type { Picture } from "./use-picture-uploads";

export type ProductRow = JsonOf<typeof adminProductResource>;

export const TYPES = choicesOf(PRODUCT_TYPE_LABELS);
export const STATUSES = choicesOf(PRODUCT_STATUS_LABELS);

const STOCK_RANGE = { min: 0, max: MAX_STOCK, step: 1 } as const;

const RATES = [...VAT_RATES.keys()].map((rate) => ({
  value: String(rate),
  label: `${String(rate).replace(".", ",")} %`,
}));

const picturesInput: Input<readonly Picture[], unknown, readonly Picture[]> = {
  empty: [],
  read: (pictures) => pictures,
  render: (props) => <ProductPictures {...props} />,
};

/** The form's layout renders the control. */
const characteristicsInput: Input<readonly Characteristic[]> = { empty: [] };

const noCategoryHint = (
  <span>
    Il n’y a aucune catégorie.{" "}
    <Link href="/backoffice/category" prefetch={false} className="link">
      Créez-en une
    </Link>{" "}
    d’abord.
  </span>
);

const characteristicsOf = ({ characteristics }: ProductRow): readonly Characteristic[] =>
  Object.entries(characteristics ?? {}).map(([name, value]) => ({ name, value }));

export const fields = {
  image: {
    label: "Image",
    column: {
      cell: ({ image, name }) => (
        <ProductImage
          image={image}
          alt={name}
          use="thumbnail"
          className="size-12 max-w-none rounded-sm bg-surface"
        />
      ),
    },
  },
  images: { label: "Image", input: picturesInput },
  name: {
    label: "Nom",
    column: {
      isSortable: true,
      className: "lg:min-w-44 font-medium",
      cell: ({ name, status, sku }) => (
        <>
          <span>{name}</span>
          {status === "draft" && (
            <Badge tone="warning" className="ml-1.5">
              {PRODUCT_STATUS_LABELS.draft}
            </Badge>
          )}
          {sku && <p className="font-normal text-muted text-xs">{sku}</p>}
        </>
      ),
    },
    input: textInput({ required: true }),
  },
  status: { label: "Statut", input: selectInput(STATUSES, "active") },
  sku: {
    label: "Référence (SKU)",
    input: textInput({ optional: true, maxLength: 64, autoComplete: "off" }),
  },
  gtin: {
    label: "Code-barres (GTIN)",
    input: textInput({ optional: true, inputMode: "numeric", autoComplete: "off" }),
  },
  brand: {
    label: "Marque",
    input: textInput({ optional: true, maxLength: 100, autoComplete: "off" }),
  },
  description: {
    label: "Description",
    column: {
      className: "lg:min-w-64",
      cell: ({ description }) => <p className="line-clamp-3">{description}</p>,
    },
    input: textareaInput({ rows: 4, required: true }),
  },
  price: {
    label: "Prix",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap lg:text-right tabular-nums",
      cell: ({ price }) => formatAmount(price),
    },
    input: amountInput(),
  },
  vatRate: {
    label: "Taux de TVA",
    input: selectInput(RATES, "20"),
    value: ({ vatRate }) => String(vatRate),
  },
  type: {
    label: "Type",
    column: {
      cell: ({ productType: type }) => (
        <Badge tone={type === "digital" ? "accent" : "neutral"}>{PRODUCT_TYPE_LABELS[type]}</Badge>
      ),
    },
    input: selectInput(TYPES, "physical"),
    value: ({ productType }) => productType,
  },
  categories: {
    label: "Catégories",
    column: {
      className: "lg:min-w-36",
      cell: ({ categories }) => <Chips labels={categories} />,
    },
    input: multiSearchInput(CATEGORIES),
  },
  defaultCategory: {
    label: "Catégorie par défaut",
    column: { cell: ({ defaultCategory }) => defaultCategory.name },
    input: searchInput(CATEGORIES, { emptyHint: noCategoryHint }),
  },
  tags: {
    label: "Tags",
    column: { className: "lg:min-w-36", cell: ({ tags }) => <Chips labels={tags} /> },
    input: multiSearchInput(TAGS),
  },
  downloadLink: {
    label: "Lien de téléchargement",
    column: { className: "lg:min-w-44", cell: ({ downloadLink }) => downloadLink || "–" },
    input: textInput({ optional: true }),
  },
  filesize: {
    label: "Taille du fichier (Ko)",
    column: {
      label: "Taille du fichier",
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ filesize }) => (typeof filesize === "number" ? `${filesize} Ko` : "–"),
    },
    input: numberInput({ ...FILE_SIZE_RANGE }),
  },
  filetype: {
    label: "Type de fichier",
    column: { cell: ({ filetype }) => filetype || "–" },
    input: textInput({ optional: true }),
  },
  characteristics: {
    label: "Caractéristiques",
    column: {
      className: "lg:min-w-52",
      cell: (product) => <CharacteristicList list={characteristicsOf(product)} />,
    },
    input: characteristicsInput,
    value: characteristicsOf,
  },
  // Typed, but not yet added to the list.
  characteristicName: { label: "Nom de la caractéristique", input: textInput(), value: () => "" },
  characteristicValue: {
    label: "Valeur de la caractéristique",
    input: textInput(),
    value: () => "",
  },
  createdAt: {
    label: "Date de création",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ createdAt }) => (createdAt ? formatDateTime(createdAt) : "–"),
    },
  },
  weight: {
    label: "Poids (g)",
    column: {
      label: "Poids",
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ weight }) => (typeof weight === "number" ? `${formatNumber(weight)} g` : "–"),
    },
    input: numberInput({
      ...WEIGHT_RANGE,
      optional: true,
      hint: "Vide\u00a0: compté pour 0\u00a0g dans le prix de la livraison.",
    }),
  },
  stock: {
    label: "Stock",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: (product) => <StockCell product={product} />,
    },
    input: numberInput({
      ...STOCK_RANGE,
      optional: true,
      hint: "Vide : le stock n’est pas compté.",
    }),
  },
  lowStockThreshold: {
    label: "Seuil de stock bas",
    input: numberInput({
      ...STOCK_RANGE,
      optional: true,
      hint: "À partir de ce stock, la boutique dit combien il en reste.",
    }),
  },
} satisfies FieldsOf<ProductRow, "type" | "characteristicName" | "characteristicValue">;

export type ProductValues = ValuesOf<typeof fields>;

export const typedCharacteristic = (values: ProductValues): Characteristic => ({
  name: values.characteristicName,
  value: values.characteristicValue,
});

/** The fields of one kind of product. The types ensure that no field is left out. */
export function kindJson(values: ProductValues, row: ProductRow | null) {
  if (values.type === "digital")
    return {
      downloadLink: values.downloadLink,
      filesize: wholeNumberOf(values.filesize),
      filetype: values.filetype,
    } satisfies Record<DigitalField, unknown>;
  const all = withTyped(values.characteristics, typedCharacteristic(values));
  // An untouched stock is not sent: the write would undo sales made meanwhile.
  const isStockSent = !row || values.stock !== String(row.stock ?? "");
  return {
    weight: wholeNumberOf(values.weight),
    characteristics: Object.fromEntries(all.map(({ name, value }) => [name, value])),
    stock: isStockSent ? wholeNumberOf(values.stock) : undefined,
    lowStockThreshold: wholeNumberOf(values.lowStockThreshold),
    ...(row && isStockSent && { currentStock: row.stock }),
  } satisfies Record<PhysicalField, unknown>;
}
