import { SelectField, TextField } from "@/components/ui/field";
import {
  CARRIER_MAX_LENGTH,
  CARRIERS,
  OTHER_CARRIER,
  TRACKING_MAX_LENGTH,
} from "@/lib/shipments/rules";

const NAMES = CARRIERS.map(({ name }) => name);

/** The typed values of a parcel. */
interface ParcelValues {
  trackingNumber: string;
  /** A carrier of the list, or "other". */
  choice: string;
  /** The name of another carrier. */
  otherName: string;
}

export const parcelValues = ({
  carrier,
  trackingNumber,
}: {
  carrier: string;
  trackingNumber: string | null;
}): ParcelValues => ({
  trackingNumber: trackingNumber ?? "",
  choice: NAMES.includes(carrier) ? carrier : OTHER_CARRIER,
  otherName: NAMES.includes(carrier) ? "" : carrier,
});

export const carrierOf = ({ choice, otherName }: ParcelValues): string =>
  choice === OTHER_CARRIER ? otherName.trim() || OTHER_CARRIER : choice;

const TRACKING_REQUIRED =
  "Veuillez saisir le numéro de suivi, ou choisir «\u00a0Autre\u00a0» pour un envoi sans suivi.";

/** The problem of a missing tracking number; only the carrier "Autre" needs none. */
export const parcelProblem = ({ choice, trackingNumber }: ParcelValues) =>
  choice !== OTHER_CARRIER && trackingNumber.trim() === ""
    ? { trackingNumber: TRACKING_REQUIRED }
    : null;

interface ParcelFieldsProps {
  values: ParcelValues;
  onChange: (values: ParcelValues) => void;
  errors: Readonly<Record<string, string>>;
}

/** The tracking number is first: a scanner types into it as soon as the dialog is open. */
export function ParcelFields({ values, onChange, errors }: ParcelFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Numéro de suivi"
        autoComplete="off"
        spellCheck={false}
        maxLength={TRACKING_MAX_LENGTH}
        value={values.trackingNumber}
        // Selects the text, so that a scanned number replaces a wrong one.
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => onChange({ ...values, trackingNumber: target.value })}
        error={errors.trackingNumber ?? null}
      />
      <SelectField
        label="Transporteur"
        value={values.choice}
        onChange={({ target }) => onChange({ ...values, choice: target.value })}
        error={errors.carrier ?? null}
      >
        {NAMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {values.choice === OTHER_CARRIER && (
        <TextField
          label="Nom du transporteur"
          optional
          className="sm:col-span-2"
          maxLength={CARRIER_MAX_LENGTH}
          value={values.otherName}
          onChange={({ target }) => onChange({ ...values, otherName: target.value })}
        />
      )}
    </div>
  );
}
