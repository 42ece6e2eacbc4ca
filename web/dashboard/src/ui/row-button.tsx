/** A button of one row among many: people who hear it also hear which row it is about. */
export interface RowButtonProps {
  readonly text: string;
  /** of which row */
  readonly about: string;
  readonly onClick: () => void;
  /** what the row is for, rather than one of several things */
  readonly main?: boolean;
}

export function RowButton({ text, about, onClick, main = false }: RowButtonProps) {
  return (
    <button type="button" className={main ? undefined : 'second'} aria-label={`${text}: ${about}`} onClick={onClick}>
      {text}
    </button>
  );
}
