import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { inFrenchOrder } from "../french-order";
import { uploadedPictureIn, uploadedPicturesIn } from "../uploaded-picture";
import { createdAt, identity, instant, partOf, updatedAt, version } from "./columns";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The columns of categories and tags. */
const labelColumns = () => ({
  id: identity(),
  name: text("name").notNull(),
  /** `#rrggbb` */
  color: text("color").notNull().default("#3b82f6"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  version: version(),
});

export const categories = pgTable(
  "categories",
  {
    ...labelColumns(),
    /** Names of the characteristics that its products can be filtered by. */
    filters: text("filters").array().notNull().default([]),
  },
  (t) => [check("categories_color_format", sql`${t.color} ~ '^#[0-9a-fA-F]{6}$'`)],
);

export const tags = pgTable("tags", labelColumns(), (t) => [
  check("tags_color_format", sql`${t.color} ~ '^#[0-9a-fA-F]{6}$'`),
]);

/** A picture of a product, and what it shows for those who do not see it. */
export type ProductImage = { url: string; alt: string };

/** One line of a physical product's description; a list, since JSON objects lose their order. */
export type Characteristic = { name: string; value: string };

export const products = pgTable(
  "products",
  {
    id: identity(),
    type: text("type", { enum: ["physical", "digital"] }).notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    priceCents: integer("price_cents").notNull(),
    /** VAT rate in basis points: 2000 is 20 %, 550 is 5.5 %. */
    vatRateBp: integer("vat_rate_bp").notNull().default(2000),
    /** File name below /images, a path, or an http(s) address. */
    image: text("image"),
    /** What the picture shows, for those who do not see it; empty where the name says enough. */
    imageAlt: text("image_alt").notNull().default(""),
    /** The pictures after `image`, in their order. */
    moreImages: jsonb("more_images").$type<ProductImage[]>().notNull().default([]),
    /** The shop's own reference of the article. */
    sku: text("sku"),
    /** The number below its barcode (GTIN-8, 12, 13 or 14), digits with a valid check digit. */
    gtin: text("gtin"),
    brand: text("brand"),
    /** Only staff see a draft. */
    status: text("status", { enum: ["active", "draft"] })
      .notNull()
      .default("active"),
    defaultCategoryId: integer("default_category_id")
      .notNull()
      // Only the back office deletes a category with its products, in one transaction, when asked to.
      .references(() => categories.id, { onDelete: "restrict" }),

    // Physical products only.
    characteristics: jsonb("characteristics").$type<Characteristic[]>(),
    /** Pieces, always the sum of the product's `stock_movements`; null where stock is not tracked. */
    stock: integer("stock"),
    /** Pieces: the stock is low at or below this number. */
    lowStockThreshold: integer("low_stock_threshold"),
    /** Grams. */
    weight: integer("weight"),

    // Digital products only.
    downloadLink: text("download_link"),
    fileSizeKb: integer("file_size_kb"),
    fileType: text("file_type"),

    // Updated by the transactions that change them (ratings by a trigger of reviews), never counted on reading.
    ratingCount: integer("rating_count").notNull().default(0),
    ratingSum: integer("rating_sum").notNull().default(0),
    averageRating: numeric("average_rating", {
      precision: 6,
      scale: 5,
      mode: "number",
    }).generatedAlwaysAs(
      sql`case when rating_count > 0 then round(rating_sum::numeric / rating_count, 5) end`,
    ),
    /** Pieces sold. */
    salesCount: integer("sales_count").notNull().default(0),

    // Search: the functions are in db/migrations/0000, …_search and …_product_data, the vocabulary in 0002, the
    // index in 0016. docs/decisions/006, 046, 050.
    nameKey: text("name_key").generatedAlwaysAs((): SQL => sql`search_normalise(name)`),
    /**
     * Name, brand, description and references; set by a trigger, never by the shop. Its statistics target is five
     * times the default.
     */
    searchVector: tsvector("search_vector"),
    // Sorted copies of the tables below, kept by their triggers: a search filters by category and tag in
    // the same row, and the same index, as its words.
    categoryIds: integer("category_ids").array().notNull().default([]),
    tagIds: integer("tag_ids").array().notNull().default([]),

    /** Null where unknown: the product is then last when sorted by oldest, first when sorted by newest. */
    createdAt: instant("created_at").defaultNow(),
    updatedAt: updatedAt(),
    version: version(),
  },
  (t) => [
    index("products_default_category_idx").on(t.defaultCategoryId),
    index("products_best_rated_idx").on(
      t.averageRating.desc().nullsLast(),
      t.ratingCount.desc().nullsLast(),
      t.id,
    ),
    index("products_best_sold_idx").on(t.salesCount.desc().nullsLast(), t.id),
    index("products_search_sales_idx").using(
      "gin",
      t.searchVector,
      // The list of a category includes the products whose default category it is.
      sql`(${t.categoryIds} || ${t.defaultCategoryId})`,
      t.tagIds,
      sql`(array[sales_tier(${t.salesCount})])`,
    ),
    // Filters of the catalogue. The index that they are counted from, products_facets_idx, is in db/migrations/0034 only:
    // drizzle-orm cannot declare included columns.
    index("products_characteristics_idx").using("gin", t.characteristics.op("jsonb_path_ops")),
    // For sorting and filtering in the back office.
    index("products_name_idx").on(inFrenchOrder(t.name), t.id),
    index("products_price_idx").on(t.priceCents, t.id),
    index("products_date_idx").on(t.createdAt, t.id),
    index("products_stock_idx").on(t.stock, t.id),
    index("products_sold_out_idx").on(t.id).where(sql`${t.stock} = 0`),
    index("products_low_stock_idx")
      .on(t.id)
      .where(sql`${t.stock} > 0 and ${t.stock} <= ${t.lowStockThreshold}`),
    index("products_without_weight_idx")
      .on(t.id)
      .where(sql`${t.weight} is null and ${t.type} = 'physical'`),
    index("products_without_image_idx").on(t.id).where(sql`coalesce(${t.image}, '') = ''`),
    // Finds the products that show an uploaded picture.
    index("products_picture_idx")
      .on(sql`(${uploadedPictureIn('"image"')})`)
      .where(sql`${uploadedPictureIn('"image"')} is not null`),
    index("products_more_pictures_idx")
      .using("gin", sql`${uploadedPicturesIn('"more_images"')}`)
      .where(sql`${t.moreImages} <> '[]'::jsonb`),
    index("products_draft_idx").on(t.id).where(sql`${t.status} = 'draft'`),
    index("products_name_key_idx").on(t.nameKey.op("text_pattern_ops")),
    uniqueIndex("products_sku_key").on(sql`lower(${t.sku})`).where(sql`${t.sku} is not null`),
    uniqueIndex("products_gtin_key").on(t.gtin).where(sql`${t.gtin} is not null`),
    check("products_status_known", sql`${t.status} in ('active', 'draft')`),
    check("products_image_is_first", sql`${t.image} is not null or ${t.moreImages} = '[]'::jsonb`),
    check("products_images_count", sql`jsonb_array_length(${t.moreImages}) <= 11`),
    check("products_name_length", sql`char_length(${t.name}) between 1 and 255`),
    check("products_type_known", sql`${t.type} in ('physical', 'digital')`),
    check("products_price_not_negative", sql`${t.priceCents} >= 0`),
    check("products_vat_rate_range", sql`${t.vatRateBp} between 0 and 10000`),
    check("products_file_size_positive", sql`${t.fileSizeKb} > 0`),
    check("products_stock_not_negative", sql`${t.stock} >= 0 and ${t.lowStockThreshold} >= 0`),
    check("products_weight_not_negative", sql`${t.weight} >= 0`),
    check(
      "products_counts_not_negative",
      sql`${t.ratingCount} >= 0 and ${t.ratingSum} >= 0 and ${t.salesCount} >= 0`,
    ),
    check(
      "products_fields_match_type",
      sql`case ${t.type}
        when 'physical' then ${t.downloadLink} is null and ${t.fileSizeKb} is null and ${t.fileType} is null
        else ${t.characteristics} is null and ${t.stock} is null and ${t.lowStockThreshold} is null
          and ${t.weight} is null
      end`,
    ),
  ],
);

export const productCategories = pgTable(
  "product_categories",
  {
    productId: partOf("product_id", () => products.id),
    categoryId: partOf("category_id", () => categories.id),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.categoryId] }),
    index("product_categories_category_idx").on(t.categoryId, t.productId),
  ],
);

export const productTags = pgTable(
  "product_tags",
  {
    productId: partOf("product_id", () => products.id),
    tagId: partOf("tag_id", () => tags.id),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.tagId] }),
    index("product_tags_tag_idx").on(t.tagId, t.productId),
  ],
);

/** The kinds of listings: all products, the products of a category, the products with a tag. */
export const LISTING_KIND = { all: 0, category: 1, tag: 2 } as const;

/** Drafts are in lists of their own, whose kind is this much higher: no public list contains them. */
export const DRAFT_LISTINGS = 10;

/**
 * The catalogue's index, written only by triggers of the tables above: one row per product and list
 * that contains it, with the columns that lists filter and sort by. So every page of every list is a
 * short range of one index, even with a million products.
 */
export const productListings = pgTable(
  "product_listings",
  {
    kind: smallint("kind").notNull(),
    /** Category or tag id; 0 for all products. */
    facetId: integer("facet_id").notNull(),
    /** Copied from the product: true for a digital one. */
    isDigital: boolean("is_digital").notNull(),
    productId: integer("product_id").notNull(),
    priceCents: integer("price_cents").notNull(),
    createdAt: instant("created_at"),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.facetId, t.isDigital, t.productId] }),
    foreignKey({
      name: "product_listings_product_fk",
      columns: [t.productId],
      foreignColumns: [products.id],
    }).onDelete("cascade"),
    index("product_listings_product_idx").on(t.productId),
    index("product_listings_price_idx").on(
      t.kind,
      t.facetId,
      t.isDigital,
      t.priceCents,
      t.createdAt,
      t.productId,
    ),
    index("product_listings_date_idx").on(
      t.kind,
      t.facetId,
      t.isDigital,
      t.createdAt,
      t.productId,
      t.priceCents,
    ),
  ],
);

/** What products are counted by: category, tag, and the default category that every product has. */
export const LABEL_SIZE_KIND = { category: 1, tag: 2, defaultCategory: 3 } as const;

/** The number of products of a label is the sum of its rows, which are kept like `order_sums`. */
export const labelSizes = pgTable(
  "label_sizes",
  {
    kind: smallint("kind").notNull(),
    /** Category or tag id. */
    labelId: integer("label_id").notNull(),
    products: integer("products").notNull(),
  },
  (t) => [index("label_sizes_label_idx").on(t.kind, t.labelId)],
);

/**
 * Every word of the products' names and descriptions, with its French stem: the vocabulary for parts of
 * words and typing errors. Kept by a trigger; a word may outlive its products.
 */
export const searchWords = pgTable(
  "search_words",
  {
    word: text("word").primaryKey(),
    lexeme: text("lexeme").notNull(),
    inName: boolean("in_name").notNull(),
  },
  (t) => [
    index("search_words_trigram_idx").using("gin", t.word.op("gin_trgm_ops")),
    index("search_words_lexeme_idx").on(t.lexeme),
  ],
);
