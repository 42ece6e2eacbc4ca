/** A search field with choices: type, then choose with the arrow keys or a pointer. */
import { useId, useState, type KeyboardEvent } from 'react';
import { Failed } from './states.tsx';
import { ui } from './words.ts';

export interface Choice {
  readonly key: string;
  readonly label: string;
  /** distinguishes choices with the same name */
  readonly more?: string;
}

export interface ComboboxProps<C extends Choice> {
  /** name of what it searches; the label of the field, unless `id` is given */
  readonly label: string;
  /** id of the input, if a `<label>` is next to it */
  readonly id?: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly choices: readonly C[];
  readonly onChoose: (choice: C) => void;
  /** the reason why there are no choices */
  readonly error?: unknown;
  /** true while the choices are not yet those for the text */
  readonly busy?: boolean;
  /** shown if nothing was found */
  readonly none?: string;
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
}

export function Combobox<C extends Choice>(props: ComboboxProps<C>) {
  const { label, id, text, onText, choices, onChoose, error, busy = false, none, autoFocus, placeholder } = props;
  const list = useId();
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, choices.length - 1);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setAt((chosen + step + choices.length) % choices.length);
    } else if (event.key === 'Enter' && choices.length > 0) {
      event.preventDefault();
      onChoose(choices[chosen]);
    }
  };
  return (
    <div className="combobox">
      <input
        id={id}
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${list}${chosen}` : undefined}
        aria-label={id === undefined ? label : undefined}
        placeholder={placeholder}
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul
        id={list}
        role="listbox"
        aria-label={label}
        aria-busy={busy}
        className="palette"
        hidden={choices.length === 0}
      >
        {choices.map((choice, i) => (
          <li
            key={choice.key}
            id={`${list}${i}`}
            role="option"
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onClick={() => onChoose(choice)}
          >
            {choice.label} {choice.more ? <span className="soft">{choice.more}</span> : null}
          </li>
        ))}
      </ul>
      {error ? <Failed error={error} /> : null}
      {!error && !busy && choices.length === 0 && text.trim() !== '' ? (
        <p role="status">{none ?? ui.say('none')}</p>
      ) : null}
    </div>
  );
}
