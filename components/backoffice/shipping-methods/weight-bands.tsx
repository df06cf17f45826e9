"use client";

import type { Input } from "@/components/backoffice/crud/crud-field";
import { LinesFieldset } from "@/components/backoffice/forms/lines-fieldset";
import { eurosOf, wholeNumberOf } from "@/components/backoffice/shared/option-sources";
import { NumberField } from "@/components/ui/number-field";
import { AMOUNT_RANGE } from "@/lib/backoffice/rules";
import { wholeNumber } from "@/lib/numbers";

// The prices of a shipping method by weight: one line for each band.

interface BandValues {
  key: string;
  maxWeight: string;
  price: string;
}

interface Band {
  maxWeight: number;
  price: number;
}

const bandValues = ({ maxWeight, price }: Band): BandValues => ({
  key: `band-${maxWeight}`,
  maxWeight: String(maxWeight),
  price: String(price),
});

export const weightBandJson = ({ maxWeight, price }: BandValues) => ({
  maxWeight: wholeNumberOf(maxWeight),
  price: eurosOf(price),
});

/** The bands, each of which can be changed or removed, and a button that adds a band. */
export const weightBandsInput: Input<readonly BandValues[], unknown, readonly Band[]> = {
  empty: [],
  read: (bands) => bands.map(bandValues),
  render: (props) => (
    <LinesFieldset
      {...props}
      texts={{
        none: "Aucune tranche\u00a0: un seul prix, pour tout poids.",
        add: "Ajouter une tranche",
        line: "Tranche",
        remove: "Retirer la tranche",
      }}
      newLine={(key) => ({ key, maxWeight: "", price: "" })}
      lineClass="grid-cols-[1fr_auto] sm:grid-cols-[1fr_1fr_auto] max-sm:border-line max-sm:border-b max-sm:pb-3"
    >
      {({ line: { maxWeight, price }, change, errorId }) => (
        <>
          <NumberField
            label="Jusqu’à"
            // Beside the price there is no room for all digits on a phone.
            className="max-sm:col-span-2"
            unit="g"
            min={1}
            step={1}
            value={maxWeight}
            onChange={({ target }) => change({ maxWeight: target.value })}
            errorId={errorId && !(wholeNumber(maxWeight) >= 1) ? errorId : undefined}
          />
          <NumberField
            label="Prix"
            unit="€"
            {...AMOUNT_RANGE}
            value={price}
            onChange={({ target }) => change({ price: target.value })}
            errorId={errorId && !(price !== "" && Number(price) >= 0) ? errorId : undefined}
          />
        </>
      )}
    </LinesFieldset>
  ),
};
