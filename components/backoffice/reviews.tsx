"use client";

import { Ban, Check } from "lucide-react";
import Link from "next/link";
import { type CSSProperties, type FormEvent, useState } from "react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextareaField, TextField } from "@/components/ui/field";
import { StarsInput } from "@/components/ui/stars";
import { saveRow } from "@/lib/backoffice/client";
import type { Problem } from "@/lib/backoffice/rules";
import { REVIEW_STATUS_LABELS } from "@/lib/backoffice/texts";
import { REQUIRED } from "@/lib/texts";
import { RowButton } from "./cells";
import { ID_COLUMN, USER_COLUMN } from "./columns";
import type { ActionTools, Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { CrudScreen } from "./crud-screen";
import { choicesOf, iriOf, PRODUCTS, productOption, type UserRef, userOption } from "./options";
import { type Option, SearchSelect } from "./search-select";
import { UserField } from "./user-field";

type ReviewStatus = keyof typeof REVIEW_STATUS_LABELS;

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

const STATUS_TONES: Record<ReviewStatus, BadgeTone> = {
  PENDING: "warning",
  VALIDATED: "success",
  REJECTED: "danger",
};

const STATUS_CHOICES = choicesOf(REVIEW_STATUS_LABELS);

const isStatus = (text: string): text is ReviewStatus => text in REVIEW_STATUS_LABELS;

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
        <Badge tone={STATUS_TONES[status]}>{REVIEW_STATUS_LABELS[status]}</Badge>
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

/** Moderates in one request that changes nothing else, unless the review has changed since. */
const moderate = (
  { id, version }: ReviewRow,
  json: { status: ReviewStatus; rejectionReason?: string },
) =>
  saveRow<ReviewRow>({
    method: "PUT",
    path: `/api/reviews/${id}`,
    json: { ...json, ...(version !== undefined && { version }) },
  });

/** A form for the reason of a rejection, shown right after it. */
function RejectionReason({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const [reason, setReason] = useState("");
  const [isSending, setIsSending] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    const rejectionReason = reason.trim();
    if (rejectionReason === "" || isSending) return;
    setIsSending(true);
    const save = () => moderate(review, { status: "REJECTED", rejectionReason });
    await tools.change(review.id, save, () => ({ text: "Motif du rejet enregistré." }));
    setIsSending(false);
  }

  return (
    <form className="flex flex-col gap-2 rounded-md bg-surface px-4 py-3" onSubmit={send}>
      <p className="text-muted text-sm">
        Avis #{review.id} sur {review.product.name}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Motif du rejet"
          optional
          maxLength={500}
          className="w-72 max-w-full"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          busy={isSending}
          pendingLabel="Enregistrement en cours..."
        >
          Ajouter le motif
        </Button>
      </div>
    </form>
  );
}

/** Keeps each action at the same place in every row, so that nobody clicks its neighbour. */
const NoButton = () => <span aria-hidden="true" className="size-9 max-lg:hidden" />;

function ModerationButtons({ review, tools }: { review: ReviewRow; tools: ActionTools }) {
  const isBusy = tools.isBusy(review.id);
  const setStatus = (status: ReviewStatus) => () => moderate(review, { status });
  return (
    <>
      {review.status === "VALIDATED" ? (
        <NoButton />
      ) : (
        <RowButton
          label="Valider"
          disabled={isBusy}
          className="text-success!"
          onClick={() =>
            tools.change(review.id, setStatus("VALIDATED"), () => ({ text: "Avis validé." }))
          }
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
            tools.change(review.id, setStatus("REJECTED"), (rejected) => ({
              text: "Avis rejeté.",
              followUp: <RejectionReason key={rejected.id} review={rejected} tools={tools} />,
            }))
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

export function AdminReviewsScreen() {
  return <CrudScreen entity={reviews} />;
}
