"use client";

import { History, Pencil } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import useSWR from "swr";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextareaField, TextField } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import type { ApiError } from "@/lib/api-client";
import { getRow } from "@/lib/backoffice/client";
import { type SellerTexts, sellerProblems } from "@/lib/seller/rules";
import type { CrudRow, FieldsProps, FormEntity } from "./crud-entity";
import { CrudForm } from "./crud-form";
import { HistoryDialog } from "./history-dialog";
import { SellerMissing } from "./seller-missing";

const PATH = "/api/admin/seller";

interface Values extends SellerTexts {
  phone: string;
  publisher: string;
  host: string;
  terms: string;
}

type Seller = CrudRow & Values & { version: number };

const LABELS = {
  legalName: "Raison sociale",
  address: "Adresse du siège",
  siren: "SIREN",
  vatNumber: "Numéro de TVA",
  email: "E-mail",
  phone: "Téléphone",
  publisher: "Directeur de la publication",
  host: "Hébergeur",
  terms: "Conditions générales de vente",
} as const satisfies Record<keyof Values, string>;

const NAMES = Object.keys(LABELS) as (keyof Values)[];

/** By law the others must be on invoices. */
const OPTIONAL: readonly (keyof Values)[] = ["phone", "publisher", "host", "terms"];

const EMPTY = Object.fromEntries(NAMES.map((name) => [name, ""])) as unknown as Values;

const valuesOf = (row: Values): Values =>
  Object.fromEntries(NAMES.map((name) => [name, row[name]])) as unknown as Values;

function Fields({ values, set, problem }: FieldsProps<Seller, Values>) {
  const field = (name: keyof Values) => ({
    label: LABELS[name],
    value: values[name],
    required: !OPTIONAL.includes(name),
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value),
    ...problem(name),
  });
  return (
    <>
      <TextField {...field("legalName")} autoComplete="organization" />
      <TextareaField {...field("address")} rows={3} autoComplete="street-address" />
      <TextField
        {...field("siren")}
        inputMode="numeric"
        hint="Neuf chiffres, par exemple 123 456 782"
      />
      <TextField {...field("vatNumber")} hint="Par exemple FR11 123456782" />
      <TextField {...field("email")} type="email" autoComplete="email" />
      <TextField {...field("phone")} type="tel" autoComplete="tel" />
      <TextField {...field("publisher")} hint="La personne qui répond de ce que dit le site" />
      <TextareaField
        {...field("host")}
        rows={3}
        hint="Nom, adresse et téléphone de qui héberge le site"
      />
      <TextareaField
        {...field("terms")}
        rows={12}
        hint="Une ligne vide entre deux paragraphes, «&nbsp;#&nbsp;» devant un titre, «&nbsp;-&nbsp;» devant chaque point d’une liste"
      />
    </>
  );
}

const seller: FormEntity<Seller, Values> = {
  addLabel: "Renseigner le vendeur",
  editTitle: "Coordonnées du vendeur",
  saveFailed: "Erreur lors de la sauvegarde du vendeur.",
  newValues: () => EMPTY,
  valuesOf,
  labels: LABELS,
  check: sellerProblems,
  request: (values) => ({ method: "PUT", path: PATH, json: { ...values } }),
  Fields,
};

/** The seller's details on invoices. */
export function AdminSellerScreen() {
  const { data, error, mutate } = useSWR<Seller, ApiError>(PATH, getRow<Seller>, {
    shouldRetryOnError: false,
  });
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
      {!data && !error && <Spinner label="Chargement" size={28} />}
      {error && !error.isSessionOver && !data && (
        <Alert kind="error">
          <p>Les coordonnées n’ont pas pu être chargées.</p>
          <Button variant="secondary" size="sm" className="mt-3" onClick={() => void mutate()}>
            Réessayer
          </Button>
        </Alert>
      )}
      {isSaved && <Alert kind="success">Les coordonnées sont enregistrées.</Alert>}
      {data?.version === 0 && <SellerMissing />}
      {data && (
        <>
          <dl className="divide-y divide-line border-line border-y">
            {NAMES.map((name) => (
              <div key={name} className="grid gap-x-4 py-2.5 sm:grid-cols-3">
                <dt className="text-muted">{LABELS[name]}</dt>
                <dd className="whitespace-pre-line sm:col-span-2 [overflow-wrap:anywhere]">
                  {name === "terms" && data.terms ? (
                    <Link href="/conditions-generales-de-vente" prefetch={false} className="link">
                      Voir la page
                    </Link>
                  ) : (
                    data[name] || "–"
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => open("form")}>
              <Pencil size={18} aria-hidden="true" />
              {data.version === 0 ? "Renseigner" : "Modifier"}
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
          labels={LABELS}
          onClose={close}
        />
      )}
    </div>
  );
}
