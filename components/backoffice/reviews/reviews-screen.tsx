"use client";

import Link from "next/link";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, Input, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { CrudScreen } from "@/components/backoffice/crud/crud-screen";
import {
  searchInput,
  selectInput,
  textareaInput,
  textInput,
} from "@/components/backoffice/forms/inputs";
import {
  choicesOf,
  fullName,
  iriOf,
  PRODUCTS,
  USERS,
} from "@/components/backoffice/shared/option-sources";
import { USER_COLUMN, USER_FILTER } from "@/components/backoffice/shared/person-columns";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Stars } from "@/components/ui/stars";
import { StarsInput } from "@/components/ui/stars-input";
import { REVIEW_STATUS_LABELS } from "@/lib/backoffice/texts";
import { adminReviewChange, adminReviewInput } from "@/lib/reviews/admin-schemas";
import type { ReviewStatus } from "@/lib/reviews/rules";
import { ModerationButtons, moderate, type ReviewRow } from "./review-moderation";

const STATUS_TONES: Record<ReviewStatus, BadgeTone> = {
  PENDING: "warning",
  VALIDATED: "success",
  REJECTED: "danger",
};

const STATUSES = choicesOf(REVIEW_STATUS_LABELS);

const starsInput: Input<number> = {
  empty: 0,
  render: ({ name, label, value, onChange, problem }) => (
    <StarsInput
      legend={label}
      name={name}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
      error={problem.error ?? null}
    />
  ),
};

const fields = {
  product: {
    label: "Produit",
    column: {
      className: "lg:min-w-40",
      cell: ({ product }) => (
        <Link href={`/product/${product.id}`} prefetch={false} className="link">
          {product.name}
        </Link>
      ),
    },
    input: searchInput(PRODUCTS),
  },
  user: {
    label: "Utilisateur",
    column: USER_COLUMN,
    input: searchInput(USERS),
  },
  rating: {
    label: "Note",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap",
      cell: ({ rating }) => (
        <span className="inline-flex items-center gap-1.5">
          <Stars rating={rating} wordless />
          <span>{`${rating}/5`}</span>
        </span>
      ),
    },
    input: starsInput,
  },
  content: {
    label: "Contenu",
    column: {
      className: "lg:min-w-64",
      cell: ({ content }) => <p className="whitespace-pre-line">{content}</p>,
    },
    input: textareaInput({ required: true }),
  },
  status: {
    label: "Statut",
    column: {
      cell: ({ status, rejectionReason }) => (
        <>
          <Badge tone={STATUS_TONES[status]}>{REVIEW_STATUS_LABELS[status]}</Badge>
          {rejectionReason && (
            <p className="mt-1 text-muted text-xs">{`Motif\u00a0: ${rejectionReason}`}</p>
          )}
        </>
      ),
    },
    input: selectInput(STATUSES, "PENDING"),
  },
  rejectionReason: {
    label: "Motif du rejet",
    input: textInput({ optional: true }),
  },
  datePublication: {
    label: "Date",
    column: {
      isSortable: true,
      className: "lg:whitespace-nowrap tabular-nums",
      cell: ({ datePublication }) => datePublication.slice(0, 10),
    },
  },
} satisfies FieldsOf<ReviewRow>;

const reviews: CrudEntity<ReviewRow, ValuesOf<typeof fields>> = {
  path: "/api/reviews",
  heading: "Gestion des avis (CRUD)",
  addLabel: "Ajouter un avis",
  editTitle: "Modifier l'avis",
  emptyText: "Aucun avis trouvé.",
  deleteQuestion: "Supprimer cet avis ?",
  saveFailed: "Erreur lors de la sauvegarde de l'avis.",
  searchHint: "Contenu, client",
  historyName: "Review",
  nameOf: ({ product, user }) => `${product.name}, par ${fullName(user)}`,
  fileName: "avis",
  fields,
  filters: [
    { kind: "choice", name: "status", label: "Statut", options: STATUSES },
    {
      kind: "choice",
      name: "rating",
      label: "Note",
      options: ["5", "4", "3", "2", "1", "0"].map((value) => ({ value, label: `${value}/5` })),
    },
    USER_FILTER,
  ],
  layout: ({ field, values }) => (
    <>
      {field("product")}
      {field("user")}
      {field("rating")}
      {field("content")}
      {field("status")}
      {values.status === "REJECTED" && field("rejectionReason")}
    </>
  ),
  schema: (_, row) => (row ? adminReviewChange : adminReviewInput),
  toJson: ({ rejectionReason, ...values }) => ({
    ...values,
    product: iriOf("/api/products", values.product),
    user: iriOf("/api/users", values.user),
    ...(values.status === "REJECTED" && { rejectionReason: rejectionReason || null }),
  }),
  rowActions: (review, tools) => <ModerationButtons review={review} tools={tools} />,
  bulkActions: [
    { label: "Valider", run: (review) => moderate(review, { status: "VALIDATED" }) },
    { label: "Rejeter", run: (review) => moderate(review, { status: "REJECTED" }) },
  ],
};

export const BackofficeReviewsScreen = () => <CrudScreen entity={reviews} />;
