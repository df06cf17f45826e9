"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { CloseIcon, PlusIcon } from "@/components/ui/icons";
import { AMOUNT_RANGE } from "@/lib/backoffice/rules";
import type { Input, InputProps } from "./crud-field";
import { numberOf } from "./options";

// What shipping costs by weight: the bands of one method, line by line.

export interface BandValues {
  /** React key: new lines have nothing else of their own. */
  key: string;
  maxWeight: string;
  price: string;
}

let lastKey = 0;

function newBand(): BandValues {
  lastKey += 1;
  return { key: `new-${lastKey}`, maxWeight: "", price: "" };
}

export const bandValues = ({
  maxWeight,
  price,
}: {
  maxWeight: number;
  price: number;
}): BandValues => ({
  key: `band-${maxWeight}`,
  maxWeight: String(maxWeight),
  price: String(price),
});

export const bandJson = ({ maxWeight, price }: BandValues) => ({
  maxWeight: numberOf(maxWeight),
  price: numberOf(price),
});

/** The bands, each of which can be changed or removed, and a button that adds one. */
export const bandsInput: Input<readonly BandValues[]> = {
  empty: [],
  render: (props) => <Bands {...props} />,
};

function Bands({
  label,
  value,
  onChange,
  problem: { error, errorId: listedId },
}: InputProps<readonly BandValues[], unknown>) {
  const ownId = useId();
  const errorId = error ? ownId : listedId;
  return (
    <fieldset
      className="flex flex-col gap-3 rounded-md border border-line p-4"
      aria-describedby={errorId}
    >
      <legend className="px-1 font-medium text-sm">{label}</legend>
      {value.length === 0 && (
        <p className="text-muted text-sm">Aucune tranche&nbsp;: un seul prix, pour tout poids.</p>
      )}
      {value.map((band, index) => (
        <BandFields
          key={band.key}
          band={band}
          place={index + 1}
          onChange={(next) => onChange(value.map((each) => (each === band ? next : each)))}
          onRemove={() => onChange(value.filter((each) => each !== band))}
          errorId={errorId}
        />
      ))}
      {error && (
        <p id={ownId} className="text-danger text-sm">
          {error}
        </p>
      )}
      <Button
        variant="secondary"
        size="sm"
        className="w-fit"
        onClick={() => onChange([...value, newBand()])}
      >
        <PlusIcon size={16} />
        Ajouter une tranche
      </Button>
    </fieldset>
  );
}

interface BandFieldsProps {
  band: BandValues;
  /** From 1. */
  place: number;
  onChange: (band: BandValues) => void;
  onRemove: () => void;
  errorId: string | undefined;
}

function BandFields({ band, place, onChange, onRemove, errorId }: BandFieldsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset says too much
    <div
      role="group"
      aria-label={`Tranche ${place}`}
      className="grid grid-cols-[1fr_1fr_auto] items-end gap-3"
    >
      <TextField
        type="number"
        label="Jusqu’à"
        unit="g"
        min={1}
        step={1}
        value={band.maxWeight}
        onChange={({ target }) => onChange({ ...band, maxWeight: target.value })}
        errorId={errorId && !(Number(band.maxWeight) >= 1) ? errorId : undefined}
      />
      <TextField
        type="number"
        label="Prix"
        unit="€"
        {...AMOUNT_RANGE}
        value={band.price}
        onChange={({ target }) => onChange({ ...band, price: target.value })}
        errorId={errorId && !(band.price !== "" && Number(band.price) >= 0) ? errorId : undefined}
      />
      <button
        type="button"
        aria-label={`Retirer la tranche ${place}`}
        className="grid size-11 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
        onClick={onRemove}
      >
        <CloseIcon size={18} />
      </button>
    </div>
  );
}
