"use client";

import { Ban, Check } from "lucide-react";
import Link from "next/link";
import { type CSSProperties, type ReactNode, useState } from "react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextareaField, TextField } from "@/components/ui/field";
import { StarsInput } from "@/components/ui/stars";
import { saveRow } from "@/lib/backoffice/client";
import type { Problem } from "@/lib/backoffice/rules";
import { REQUIRED } from "@/lib/text-field";
import { ID_COLUMN, USER_COLUMN } from "./columns";
import type { ActionTools, Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen, RowButton } from "./crud-screen";
import { iriOf, PRODUCTS, productOption, type UserRef, userOption } from "./options";
import { type Option, SearchSelect } from "./search-select";
import { UserField } from "./user-field";

type ReviewStatus = "PENDING" | "VALIDATED" | "REJECTED";

interface ReviewRow extends CrudRow {
  content: string;
  rating: number;
  product: { id: number; name: string };
  user: UserRef | null;
  status: ReviewStatus;
  rejectionReason?: string | null;
  /** ISO 8601. */
  datePublication: string;
}

interface ReviewValues {
  product: Option | null;
  user: Option | null;
  rating: number;
  content: string;
  status: ReviewStatus;
  rejectionReason: string;
}

const STATUSES: Record<ReviewStatus, { label: string; tone: BadgeTone }> = {
  PENDING: { label: "En attente", tone: "warning" },
  VALIDATED: { label: "Validé", tone: "success" },
  REJECTED: { label: "Rejeté", tone: "danger" },
};

const STATUS_CHOICES = (Object.keys(STATUSES) as ReviewStatus[]).map((value) => ({
  value,
  label: STATUSES[value].label,
}));

const isStatus = (text: string): text is ReviewStatus => text in STATUSES;

const columns: readonly Column<ReviewRow>[] = [
  ID_COLUMN,
  {
    id: "product",
    label: "Produit",
    className: "lg:min-w-40",
    cell: ({ product }) => (
      <Link href={`/product/${product.id}`} prefetch={false} className="link">
        {product.name}
      </Link>
    ),
  },
  USER_COLUMN,
  {
    id: "rating",
    label: "Note",
    orderBy: "rating",
    className: "lg:whitespace-nowrap",
    cell: ({ rating }) => (
      <span className="inline-flex items-center gap-1.5">
        <span
          aria-hidden="true"
          className="stars"
          style={{ "--rating": rating } as CSSProperties}
        />
        {rating}/5
      </span>
    ),
  },
  {
    id: "content",
    label: "Contenu",
    className: "lg:min-w-64",
    cell: ({ content }) => <p className="whitespace-pre-line">{content}</p>,
  },
  {
    id: "status",
    label: "Statut",
    cell: ({ status, rejectionReason }) => (
      <>
        <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
        {rejectionReason && (
          <p className="mt-1 text-muted text-xs">Motif&nbsp;: {rejectionReason}</p>
        )}
      </>
    ),
  },
  {
    id: "datePublication",
    label: "Date",
    orderBy: "datePublication",
    className: "lg:whitespace-nowrap tabular-nums",
    cell: ({ datePublication }) => datePublication.slice(0, 10),
  },
];

function ReviewFields({ values, set, problem }: FieldsProps<ReviewRow, ReviewValues>) {
  return (
    <>
      <SearchSelect
        label="Produit"
        source={PRODUCTS}
        value={values.product}
        onChange={(product) => set("product", product)}
        {...problem("product")}
      />
      <UserField value={values.user} onChange={(user) => set("user", user)} {...problem("user")} />
      <StarsInput
        legend="Note"
        name="rating"
        value={values.rating}
        onChange={({ target }) => set("rating", Number(target.value))}
        error={problem("rating").error ?? null}
      />
      <TextareaField
        label="Contenu"
        value={values.content}
        onChange={({ target }) => set("content", target.value)}
        required
        {...problem("content")}
      />
      <SelectField
        label="Statut"
        value={values.status}
        onChange={({ target }) => isStatus(target.value) && set("status", target.value)}
        {...problem("status")}
      >
        {STATUS_CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {values.status === "REJECTED" && (
        <TextField
          label="Motif du rejet"
          optional
          value={values.rejectionReason}
          onChange={({ target }) => set("rejectionReason", target.value)}
          {...problem("rejectionReason")}
        />
      )}
    </>
  );
}

function check(values: ReviewValues): Problem[] {
  const problems: Problem[] = (["product", "user"] as const)
    .filter((field) => values[field] === null)
    .map((field) => ({ field, message: REQUIRED }));
  if (values.content.trim() === "") problems.push({ field: "content", message: REQUIRED });
  return problems;
}

/** Moderation in one request; nothing but this changes, of the review as it was seen. */
const moderate = (
  { id, version }: ReviewRow,
  json: { status: ReviewStatus; rejectionReason?: string },
) =>
  saveRow<ReviewRow>({
    method: "PUT",
    path: `/api/reviews/${id}`,
    json: { ...json, ...(version !== undefined && { version }) },
  });

/** What is said of a review that was just rejected, with room for why. */
function RejectionReason({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const [reason, setReason] = useState("");
  return (
    <>
      <p>Avis rejeté.</p>
      <form
        className="mt-2 flex flex-wrap items-end gap-2 text-ink"
        onSubmit={(event) => {
          event.preventDefault();
          const rejectionReason = reason.trim();
          if (rejectionReason === "") return;
          const save = () => moderate(review, { status: "REJECTED", rejectionReason });
          void tools.change(review.id, save, () => "Motif du rejet enregistré.");
        }}
      >
        <TextField
          label="Motif du rejet"
          optional
          maxLength={500}
          className="w-72 max-w-full"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button type="submit" variant="secondary">
          Ajouter le motif
        </Button>
      </form>
    </>
  );
}

/** Keeps each action in one column, so that going down the rows nobody hits its neighbour. */
const NoButton = () => <span aria-hidden="true" className="size-9 max-lg:hidden" />;

function ModerationButtons({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const isBusy = tools.isBusy(review.id);
  const setStatus = (status: ReviewStatus, done: (answer: ReviewRow) => ReactNode) =>
    tools.change(review.id, () => moderate(review, { status }), done);
  return (
    <>
      {review.status === "VALIDATED" ? (
        <NoButton />
      ) : (
        <RowButton
          label="Valider"
          disabled={isBusy}
          className="text-success!"
          onClick={() => setStatus("VALIDATED", () => "Avis validé.")}
        >
          <Check size={18} aria-hidden="true" />
        </RowButton>
      )}
      {review.status === "REJECTED" ? (
        <NoButton />
      ) : (
        <RowButton
          label="Rejeter"
          disabled={isBusy}
          className="text-danger!"
          onClick={() =>
            setStatus("REJECTED", (rejected) => (
              <RejectionReason key={rejected.id} review={rejected} tools={tools} />
            ))
          }
        >
          <Ban size={18} aria-hidden="true" />
        </RowButton>
      )}
    </>
  );
}

const reviews: CrudEntity<ReviewRow, ReviewValues> = {
  path: "/api/reviews",
  heading: "Gestion des avis (CRUD)",
  addLabel: "Ajouter un avis",
  editTitle: "Modifier l'avis",
  emptyText: "Aucun avis trouvé.",
  deleteQuestion: "Supprimer cet avis ?",
  saveFailed: "Erreur lors de la sauvegarde de l'avis.",
  searchHint: "Contenu, client",
  historyName: "Review",
  fileName: "avis",
  columns,
  filters: [
    { kind: "choice", name: "status", label: "Statut", options: STATUS_CHOICES },
    {
      kind: "choice",
      name: "rating",
      label: "Note",
      options: ["5", "4", "3", "2", "1", "0"].map((value) => ({ value, label: `${value}/5` })),
    },
  ],
  newValues: () => ({
    product: null,
    user: null,
    rating: 0,
    content: "",
    status: "PENDING",
    rejectionReason: "",
  }),
  valuesOf: ({ product, user, rating, content, status, rejectionReason }) => ({
    product: productOption(product),
    user: user && userOption(user),
    rating,
    content,
    status,
    rejectionReason: rejectionReason ?? "",
  }),
  labels: {
    product: "Produit",
    user: "Utilisateur",
    rating: "Note",
    content: "Contenu",
    status: "Statut",
    rejectionReason: "Motif du rejet",
  },
  check,
  request: ({ rejectionReason, ...values }, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `/api/reviews/${row.id}` : "/api/reviews",
    json: {
      ...values,
      product: iriOf("/api/products", values.product),
      user: iriOf("/api/users", values.user),
      ...(values.status === "REJECTED" && { rejectionReason: rejectionReason || null }),
    },
  }),
  deletePath: ({ id }) => `/api/reviews/${id}`,
  Fields: ReviewFields,
  rowActions: (review, tools) => <ModerationButtons review={review} tools={tools} />,
  bulkActions: [
    { label: "Valider", run: (review) => moderate(review, { status: "VALIDATED" }) },
    { label: "Rejeter", run: (review) => moderate(review, { status: "REJECTED" }) },
  ],
};

export function ReviewsScreen() {
  return <CrudScreen entity={reviews} />;
}
