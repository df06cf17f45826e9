"use client";

import { History, Pencil } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { FormEntity } from "@/components/backoffice/crud/crud-entity";
import {
  type FieldsOf,
  labelsOf,
  type ValuesOf,
  valuesOf,
} from "@/components/backoffice/crud/crud-field";
import { CrudForm } from "@/components/backoffice/crud/crud-form";
import { HistoryDialog } from "@/components/backoffice/crud/history-dialog";
import { checkboxInput, textareaInput, textInput } from "@/components/backoffice/forms/inputs";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Spinner } from "@/components/ui/spinner";
import { useLoaded } from "@/components/ui/use-loaded";
import { getRow } from "@/lib/backoffice/client";
import { describeValue } from "@/lib/backoffice/rules";
import type { JsonOf } from "@/lib/http/api/resource";
import type { sellerResource } from "@/lib/seller/resource";
import { sellerProblems } from "@/lib/seller/rules";
import { sellerChange } from "@/lib/seller/schemas";
import { SellerMissing } from "./seller-missing";

const PATH = "/api/admin/seller";

type SellerRow = JsonOf<typeof sellerResource>;

const fields = {
  legalName: {
    label: "Raison sociale",
    input: textInput({ required: true, autoComplete: "organization" }),
  },
  address: {
    label: "Adresse du siège",
    input: textareaInput({ required: true, rows: 3, autoComplete: "street-address" }),
  },
  siren: {
    label: "SIREN",
    input: textInput({
      required: true,
      inputMode: "numeric",
      hint: "Neuf chiffres, par exemple 123 456 782",
    }),
  },
  vatExempt: {
    label: "Franchise en base de TVA (art. 293 B du CGI)",
    input: checkboxInput,
  },
  vatNumber: {
    label: "Numéro de TVA",
    input: textInput({ hint: "Par exemple FR11 123456782\u202f; facultatif en franchise de TVA" }),
  },
  email: {
    label: "E-mail",
    input: textInput({ required: true, type: "email", autoComplete: "email" }),
  },
  phone: {
    label: "Téléphone",
    input: textInput({ type: "tel", autoComplete: "tel" }),
  },
  publisher: {
    label: "Directeur de la publication",
    input: textInput({ hint: "La personne qui répond de ce que dit le site" }),
  },
  host: {
    label: "Hébergeur",
    input: textareaInput({
      rows: 3,
      hint: "Nom, adresse et téléphone de qui héberge le site",
    }),
  },
  terms: {
    label: "Conditions générales de vente",
    input: textareaInput({
      rows: 12,
      hint: "Une ligne vide entre deux paragraphes, «\u00a0#\u00a0» devant un titre, «\u00a0-\u00a0» devant chaque point d’une liste",
    }),
  },
} satisfies FieldsOf<SellerRow>;

const seller: FormEntity<SellerRow, ValuesOf<typeof fields>> = {
  path: PATH,
  savePath: () => PATH,
  addLabel: "Renseigner le vendeur",
  editTitle: "Coordonnées du vendeur",
  saveFailed: "Erreur lors de la sauvegarde du vendeur.",
  fields,
  schema: () => sellerChange,
  check: sellerProblems,
  toJson: (values) => values,
};

/** The seller's details on invoices. */
export function BackofficeSellerScreen() {
  const { data, failure, isLoading, mutate } = useLoaded(PATH, getRow<SellerRow>);
  const [dialog, setDialog] = useState<"form" | "history" | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const close = () => setDialog(null);

  function open(next: "form" | "history") {
    setIsSaved(false);
    setDialog(next);
  }

  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <div>
        <h1 className="font-semibold text-heading md:text-2xl">Coordonnées du vendeur</h1>
        <p className="mt-1 text-muted">
          Les factures les portent à partir de la prochaine&#8239;; celles qui sont émises ne
          changent pas. Les{" "}
          <Link href="/mentions-legales" prefetch={false} className="link">
            mentions légales
          </Link>{" "}
          et les{" "}
          <Link href="/conditions-generales-de-vente" prefetch={false} className="link">
            conditions générales de vente
          </Link>{" "}
          changent aussitôt&#8239;; chaque confirmation de commande a celles du moment en pièce
          jointe.
        </p>
      </div>
      {isLoading && <Spinner label="Chargement" size={28} />}
      {failure && (
        <RetryAlert
          message="Les coordonnées n’ont pas pu être chargées."
          onRetry={() => mutate()}
        />
      )}
      {isSaved && <Alert kind="success">Les coordonnées sont enregistrées.</Alert>}
      {data?.version === 0 && <SellerMissing />}
      {data && (
        <>
          <SellerDetails seller={data} />
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => open("form")}>
              <Pencil size={18} aria-hidden="true" />
              <span>{data.version === 0 ? "Renseigner" : "Modifier"}</span>
            </Button>
            <Button variant="secondary" onClick={() => open("history")}>
              <History size={18} aria-hidden="true" />
              Historique
            </Button>
          </div>
        </>
      )}
      {data && dialog === "form" && (
        <CrudForm
          entity={seller}
          row={data}
          onSaved={async () => {
            await mutate();
            setIsSaved(true);
            close();
          }}
          onClose={close}
        />
      )}
      {data && dialog === "history" && (
        <HistoryDialog
          entity="Seller"
          id={data.id}
          title="Historique du vendeur"
          labels={labelsOf(fields)}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The seller's known details; the terms have a page of their own. */
function SellerDetails({ seller: row }: { seller: SellerRow }) {
  const values = valuesOf(fields, row);
  return (
    <dl className="divide-y divide-line border-line border-y">
      {Object.entries(fields).map(([name, { label }]) => (
        <div key={name} className="grid gap-x-4 py-2.5 sm:grid-cols-3">
          <dt className="text-muted">{label}</dt>
          <dd className="whitespace-pre-line sm:col-span-2 [overflow-wrap:anywhere]">
            {name === "terms" && row.terms ? (
              <Link href="/conditions-generales-de-vente" prefetch={false} className="link">
                Voir la page
              </Link>
            ) : (
              describeValue(values[name])
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
