/** A button of one row among many: screen readers also read the row that it belongs to. */
export interface RowButtonProps {
  readonly text: string;
  /** name of the row */
  readonly about: string;
  readonly onClick: () => void;
  /** true for the main action of the row */
  readonly main?: boolean;
}

export function RowButton({ text, about, onClick, main = false }: RowButtonProps) {
  return (
    <button type="button" className={main ? undefined : 'second'} aria-label={`${text}: ${about}`} onClick={onClick}>
      {text}
    </button>
  );
}
