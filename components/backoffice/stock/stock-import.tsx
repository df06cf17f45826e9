"use client";

import { Upload } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Dialog } from "@/components/backoffice/forms/dialog";
import { Button } from "@/components/ui/button";
import { FieldFrame, useFieldProps } from "@/components/ui/field";
import { useCall } from "@/components/ui/use-call";
import type { ApiError } from "@/lib/api-error";
import { saveRow } from "@/lib/backoffice/client";
import { IMPORT_FILE_LIMIT } from "@/lib/stock/admin-schemas";
import { CSV_REQUIRED, FILE_TOO_LARGE, NOT_CSV } from "@/lib/stock/texts";

const IMPORT_FAILED = "L’import a échoué.";

interface StockImportProps {
  /** Shows the result, and loads the list again. */
  onDone: (text: string) => Promise<void>;
}

/** Sets stocks from a CSV file. If a line is wrong, it is named, and nothing is changed. */
export function StockImport({ onDone }: StockImportProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        className="max-sm:px-2.5 max-sm:text-sm"
        onClick={() => setIsOpen(true)}
      >
        <Upload size={18} aria-hidden="true" />
        Importer les stocks
      </Button>
      {isOpen && (
        <Dialog open onClose={() => setIsOpen(false)} title="Importer les stocks (CSV)">
          <ImportForm
            onCancel={() => setIsOpen(false)}
            onDone={async (text) => {
              setIsOpen(false);
              await onDone(text);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** Spreadsheets write UTF-8, UTF-16 ("Texte Unicode" of Excel), or the older encoding of Windows. */
function textOf(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function ImportForm({ onDone, onCancel }: StockImportProps & { onCancel: () => void }) {
  const problemId = useId();
  const [file, setFile] = useState<File | null>(null);
  const { isBusy, problem: problems, setProblem, run } = useCall(messagesOf);
  const errorId = problems ? problemId : undefined;
  const { field, control } = useFieldProps({ label: "Fichier CSV", errorId });

  function send(event: FormEvent) {
    event.preventDefault();
    if (!file) return setProblem([CSV_REQUIRED]);
    if (file.size > IMPORT_FILE_LIMIT) return setProblem([FILE_TOO_LARGE]);
    void run(async () => {
      // The file may have changed on the disk since it was chosen.
      const csv = await file.arrayBuffer().then(textOf, () => null);
      if (csv === null) return setProblem([IMPORT_FAILED]);
      // No text file has this character; every workbook of a spreadsheet has it.
      if (csv.includes("\0")) return setProblem([NOT_CSV]);
      const { message } = await saveRow<{ message: string }>({
        method: "POST",
        path: "/api/stock_imports",
        json: { csv },
      });
      await onDone(message);
    });
  }

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4 overflow-y-auto px-6 py-5">
      <p className="text-muted text-sm">
        Une ligne par produit, avec les titres «&nbsp;ID&nbsp;» ou «&nbsp;Nom&nbsp;» et
        «&nbsp;Stock&nbsp;»&nbsp;: l’export de cette liste convient. Un stock que vous n’y changez
        pas, ou que vous videz, reste ce qu’il est. Si une ligne est fausse, ou change un stock qui
        n’est plus celui de l’export («&nbsp;Stock lu&nbsp;»), rien n’est changé.
      </p>
      <FieldFrame {...field}>
        <input
          {...control}
          type="file"
          accept=".csv,text/csv"
          className="file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-line file:bg-surface file:px-4"
          onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        />
      </FieldFrame>
      {problems && (
        <div id={problemId} role="alert" className="text-danger">
          <ul className="flex flex-col gap-1">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel} disabled={isBusy}>
          Annuler
        </Button>
        <Button type="submit" busy={isBusy} pendingLabel="Import en cours...">
          Importer
        </Button>
      </div>
    </form>
  );
}

function messagesOf({ violations, sentence }: ApiError): string[] {
  if (violations.length > 0) return violations.map(({ message }) => message);
  return [sentence || IMPORT_FAILED];
}
