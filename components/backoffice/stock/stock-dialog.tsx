"use client";

import { Boxes } from "lucide-react";
import { type FormEvent, useState } from "react";
import { RowButton } from "@/components/backoffice/crud/cells";
import type { ActionTools } from "@/components/backoffice/crud/crud-entity";
import { FormDialog } from "@/components/backoffice/forms/form-dialog";
import { FORM_KEY, sentencesOf } from "@/components/backoffice/forms/form-errors";
import { useFocusOnError } from "@/components/backoffice/forms/use-focus-on-error";
import type { ProductRow } from "@/components/backoffice/products/product-fields";
import { fullName } from "@/components/backoffice/shared/option-sources";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { NumberField } from "@/components/ui/number-field";
import { Spinner } from "@/components/ui/spinner";
import { useCall } from "@/components/ui/use-call";
import { useLoaded } from "@/components/ui/use-loaded";
import { ApiError } from "@/lib/api-error";
import { getRow, listRows, saveRow } from "@/lib/backoffice/client";
import { formatDateTime } from "@/lib/dates";
import type { JsonOf } from "@/lib/http/api/resource";
import { formatNumber } from "@/lib/numbers";
import type { movementResource } from "@/lib/stock/admin-resource";
import { REASON_LENGTH } from "@/lib/stock/admin-schemas";
import { MAX_STOCK, piecesIn } from "@/lib/stock/rules";
import { REASON_REQUIRED, SAME_STOCK, WRONG_STOCK } from "@/lib/stock/texts";

type Movement = JsonOf<typeof movementResource>;

const KINDS: Record<Movement["kind"], string> = {
  sale: "Vente",
  return: "Retour",
  correction: "Correction",
  import: "Import",
};

const CORRECTION_FAILED = "Le stock n’a pas pu être corrigé.";

const pathOf = ({ id }: ProductRow) => `/api/products/${id}/stock_movements`;

const signed = (pieces: number) =>
  pieces > 0 ? `+${formatNumber(pieces)}` : `−${formatNumber(-pieces)}`;

interface StockButtonProps {
  product: ProductRow;
  tools: ActionTools;
}

/** Opens the stock of a physical product: its changes, and a correction. */
export function StockButton({ product, tools }: StockButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RowButton
        shown={product.productType === "physical"}
        label="Stock"
        Icon={Boxes}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <StockDialog product={product} tools={tools} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface StockDialogProps extends StockButtonProps {
  onClose: () => void;
}

function StockDialog({ product: openedProduct, tools, onClose }: StockDialogProps) {
  /** After a conflict, the product's latest version. */
  const [product, setProduct] = useState(openedProduct);
  const [isDirty, setIsDirty] = useState(false);

  function close() {
    onClose();
    if (product !== openedProduct) void tools.reload();
  }

  return (
    <FormDialog
      isDirty={isDirty}
      isBusy={false}
      onClose={close}
      title={`Stock de ${product.name}`}
      size="lg"
    >
      <div className="flex flex-col gap-6 overflow-y-auto px-6 py-5">
        <Correction
          product={product}
          onTyped={() => setIsDirty(true)}
          onChanged={setProduct}
          onDone={(message) => {
            onClose();
            return tools.done(message);
          }}
        />
        <Movements product={product} />
      </div>
    </FormDialog>
  );
}

interface CorrectionProps {
  product: ProductRow;
  onTyped: () => void;
  /** Called when the stock has changed since it was loaded. */
  onChanged: (product: ProductRow) => void;
  onDone: (message: string) => Promise<void>;
}

function Correction({ product, onTyped, onChanged, onDone }: CorrectionProps) {
  const [stock, setStock] = useState(String(product.stock ?? ""));
  const [reason, setReason] = useState("");
  const { isBusy, problem, setProblem, run } = useCall((error) =>
    sentencesOf(error, { fields: /^reason$/, failed: CORRECTION_FAILED }),
  );
  const form = useFocusOnError(problem);
  const current = product.stock ?? 0;
  const typed = piecesIn(stock);
  const difference = (typed ?? current) - current;

  async function readAgain() {
    try {
      onChanged(await getRow<ProductRow>(`/api/products/${product.id}`));
    } catch (error) {
      // The conflict's message says what to do; a message that the product could not be read says less.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  function send(event: FormEvent) {
    event.preventDefault();
    const problems: Record<string, string> = {};
    if (typed === null) problems.stock = WRONG_STOCK;
    else if (difference === 0) problems.stock = SAME_STOCK;
    if (reason.trim() === "") problems.reason = REASON_REQUIRED;
    if (Object.keys(problems).length > 0) return setProblem(problems);
    void run(async () => {
      const { message } = await saveRow<{ message: string }>({
        method: "POST",
        path: pathOf(product),
        json: { quantity: difference, reason: reason.trim(), currentStock: product.stock },
      }).catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status === 409) await readAgain();
        throw error;
      });
      await onDone(message);
    });
  }

  return (
    <form ref={form} noValidate onSubmit={send} onChange={onTyped} className="flex flex-col gap-4">
      <p>
        {product.stock === null
          ? "Le stock de ce produit n’est pas compté."
          : `Stock actuel\u00a0: ${formatNumber(product.stock)}`}
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-[10rem_1fr]">
        <NumberField
          label="Nouveau stock"
          min={0}
          max={MAX_STOCK}
          step={1}
          value={stock}
          hint={difference === 0 ? undefined : signed(difference)}
          error={problem?.stock}
          onChange={({ target }) => setStock(target.value)}
        />
        <TextField
          label="Raison"
          maxLength={REASON_LENGTH}
          value={reason}
          error={problem?.reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      {problem?.[FORM_KEY] && (
        <p role="alert" className="text-danger">
          {problem[FORM_KEY]}
        </p>
      )}
      <Button
        type="submit"
        className="self-start"
        busy={isBusy}
        pendingLabel="Enregistrement en cours..."
      >
        Corriger le stock
      </Button>
    </form>
  );
}

function Movements({ product }: { product: ProductRow }) {
  const { data, failure, isLoading } = useLoaded(["stock", product.id, product.stock], () =>
    listRows<Movement>(`${pathOf(product)}?itemsPerPage=100`),
  );
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">Mouvements</h2>
      {isLoading && <Spinner label="Chargement des mouvements" />}
      {failure && <p role="alert">Les mouvements n’ont pas pu être chargés.</p>}
      {data?.rows.length === 0 && <p className="text-muted">Aucun mouvement enregistré.</p>}
      <ol className="flex flex-col divide-y divide-line">
        {data?.rows.map((movement) => (
          <MovementLine key={movement.id} movement={movement} />
        ))}
      </ol>
      {data && data.total > data.rows.length && (
        <p className="text-muted text-sm">{`Les ${data.rows.length} derniers mouvements.`}</p>
      )}
    </section>
  );
}

function MovementLine({ movement }: { movement: Movement }) {
  const { kind, quantity, reason, order, user, date } = movement;
  const about = [order?.number, reason, user && fullName(user)].filter(Boolean).join(" – ");
  return (
    <li className="grid gap-x-4 py-2 sm:grid-cols-[5rem_8rem_1fr_auto]">
      <span className="font-medium tabular-nums">{signed(quantity)}</span>
      <span>{KINDS[kind]}</span>
      <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{about}</span>
      <time dateTime={date} className="text-muted text-sm">
        {formatDateTime(date)}
      </time>
    </li>
  );
}
