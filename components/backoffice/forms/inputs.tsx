import type { ComponentProps } from "react";
import type { Input, InputProps } from "@/components/backoffice/crud/crud-field";
import type { Choice } from "@/components/backoffice/shared/option-sources";
import { CheckboxField, SelectField, TextareaField, TextField } from "@/components/ui/field";
import { NumberField } from "@/components/ui/number-field";
import { AMOUNT_RANGE, amountHint } from "@/lib/backoffice/rules";
import { SearchMultiSelect } from "./search-multi-select";
import { type Option, type OptionSource, SearchSelect } from "./search-select";

// The controls of forms. Each takes further props for its component, which may depend on the row.

type ExtraProps<Props, Row> = Partial<Props> | ((row: Row | null) => Partial<Props>);

function extraPropsOf<Props, Row>(extra: ExtraProps<Props, Row>, row: Row | null): Partial<Props> {
  return typeof extra === "function" ? extra(row) : extra;
}

type TextProps = ComponentProps<typeof TextField>;

/** The type of a row's field for a control whose content is a text. */
type Text = string | number | null | undefined;

/** `empty` and `read` of a control whose content is a text. */
const typedText = { empty: "", read: (value: Text) => String(value ?? "") };

/** Props of a control whose text is the value. */
const typed = ({ label, value, onChange, problem }: InputProps<string, unknown>) => ({
  label,
  value,
  onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  ...problem,
});

/** One line: a text, an e-mail address or a password, depending on `type`. */
export const textInput = <Row,>(
  extra: ExtraProps<TextProps, Row> = {},
): Input<string, Row, Text> => ({
  ...typedText,
  render: (props) => <TextField {...extraPropsOf(extra, props.row)} {...typed(props)} />,
});

type NumberProps = ComponentProps<typeof NumberField>;

/** A number: of pieces, grams, kilobytes. */
export const numberInput = <Row,>(
  extra: Partial<NumberProps> & Pick<NumberProps, "min" | "step">,
): Input<string, Row, Text> => ({
  ...typedText,
  render: (props) => <NumberField {...extra} {...typed(props)} />,
});

/** An amount in euros. */
export const amountInput = (extra: Partial<NumberProps> = {}): Input<string, unknown, Text> => ({
  ...typedText,
  render: (props) => (
    <NumberField
      unit="€"
      {...AMOUNT_RANGE}
      hint={amountHint(props.value)}
      required
      {...extra}
      {...typed(props)}
    />
  ),
});

export const colorInput = (empty: string): Input<string> => ({
  empty,
  render: (props) => (
    <TextField
      type="color"
      hint={props.value}
      className="[&_.control]:w-20 [&_.control]:p-1.5"
      {...typed(props)}
    />
  ),
});

/** A text of several lines. */
export const textareaInput = (
  extra: Partial<ComponentProps<typeof TextareaField>> = {},
): Input<string, unknown, Text> => ({
  ...typedText,
  render: (props) => <TextareaField {...extra} {...typed(props)} />,
});

/** One of a few choices. */
export const selectInput = <Value extends string>(
  choices: readonly Choice<Value>[],
  empty: NoInfer<Value>,
): Input<Value> => ({
  empty,
  render: ({ label, value, onChange, problem }) => (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onChange(choices[target.selectedIndex]?.value ?? empty)}
      {...problem}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </SelectField>
  ),
});

/** Some of a few choices. */
export const multiSelectInput = <Value extends string>(
  options: readonly Value[],
  empty: readonly NoInfer<Value>[],
): Input<readonly Value[], unknown, readonly string[]> => ({
  empty,
  read: (value) => options.filter((option) => value.includes(option)),
  render: ({ label, value, onChange, problem }) => (
    <SelectField
      label={label}
      multiple
      size={options.length}
      className="[&_.control]:bg-none [&_.control]:p-1.5 [&_option]:rounded-sm [&_option]:px-2 [&_option]:py-1.5"
      value={[...value]}
      onChange={({ target }) => {
        const chosen = new Set([...target.selectedOptions].map((option) => option.value));
        onChange(options.filter((option) => chosen.has(option)));
      }}
      {...problem}
    >
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </SelectField>
  ),
});

/** Some of a few choices, each with a checkbox. */
export const checkboxesInput = <Value extends string>(
  choices: readonly Choice<Value>[],
  { empty, hint }: { empty: readonly NoInfer<Value>[]; hint: string },
): Input<readonly Value[], unknown, readonly Value[]> => ({
  empty,
  render: ({ label, value, onChange, problem }) => (
    <fieldset
      className="flex flex-col gap-2 rounded-md border border-line p-4"
      aria-describedby={problem.errorId}
    >
      <legend className="px-1 font-medium text-sm">{label}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {choices.map((choice) => (
          <CheckboxField
            key={choice.value}
            label={choice.label}
            checked={value.includes(choice.value)}
            onChange={({ target }) =>
              onChange(
                target.checked
                  ? [...value, choice.value]
                  : value.filter((each) => each !== choice.value),
              )
            }
          />
        ))}
      </div>
      <p className="text-muted text-sm">{hint}</p>
      {problem.error && <p className="text-danger text-sm">{problem.error}</p>}
    </fieldset>
  ),
});

export const checkboxInput: Input<boolean> = {
  empty: false,
  render: ({ label, value, onChange, problem }) => (
    <CheckboxField
      label={label}
      checked={value}
      onChange={({ target }) => onChange(target.checked)}
      {...problem}
    />
  ),
};

type SearchProps = ComponentProps<typeof SearchSelect>;

/** One row of another entity's list. */
export const searchInput = <Ref, Row>(
  source: OptionSource<Ref>,
  extra: ExtraProps<SearchProps, Row> = {},
): Input<Option | null, Row, Ref | null> => ({
  empty: null,
  read: (row) => row && source.toOption(row),
  render: ({ label, value, onChange, problem, row }) => (
    <SearchSelect
      label={label}
      source={source}
      value={value}
      onChange={onChange}
      {...extraPropsOf(extra, row)}
      {...problem}
    />
  ),
});

/** Several rows of another entity's list. */
export const multiSearchInput = <Ref,>(
  source: OptionSource<Ref>,
): Input<readonly Option[], unknown, readonly Ref[]> => ({
  empty: [],
  read: (rows) => rows.map(source.toOption),
  render: ({ label, value, onChange, problem }) => (
    <SearchMultiSelect
      label={label}
      source={source}
      value={value}
      onChange={onChange}
      {...problem}
    />
  ),
});
