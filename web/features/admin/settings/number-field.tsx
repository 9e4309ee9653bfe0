import { TextField } from "../../../ui/form/field.tsx";

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  /** As it was typed: the page says what is wrong with it. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A setting that is a whole number. */
export function NumberField({ onChange, ...props }: NumberFieldProps) {
  return (
    <div className="max-w-56">
      <TextField {...props} inputMode="numeric" autoComplete="off" onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}
