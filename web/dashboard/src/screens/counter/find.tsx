/**
 * The search field that begins every sale: type or scan, and Enter adds the item. Enter in the empty field continues to
 * payment.
 */
import { useEffect, useState, type RefObject } from 'react';
import { Combobox } from '../../ui/combobox.tsx';
import { Tiles } from './tiles.tsx';
import { useFoundItems } from './found.ts';
import { words } from './words.ts';
import type { NewLine } from './cart.ts';

export interface FindProps {
  /** contains the field */
  readonly place: RefObject<HTMLDivElement | null>;
  readonly onAdd: (line: NewLine) => void;
  readonly onPay: () => void;
}

export function Find({ place, onAdd, onPay }: FindProps) {
  const [text, setText] = useState('');
  // Scanners, and people who know their products, press Enter before the results arrive.
  const [early, setEarly] = useState(false);
  const { choices, error, settled } = useFoundItems(text);
  const add = (line: NewLine): void => {
    setText('');
    setEarly(false);
    onAdd(line);
  };
  useEffect(() => {
    if (!early || !settled) return;
    setEarly(false);
    if (choices[0]) add(choices[0].line);
    // Runs once, after the search for the typed text has finished.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [early, settled]);
  return (
    <div
      ref={place}
      className="counter-find"
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLInputElement))
          return;
        if (text.trim() !== '' && settled) return;
        event.preventDefault();
        event.stopPropagation();
        if (text.trim() === '') onPay();
        else setEarly(true);
      }}
    >
      <label htmlFor="counter-item">{words.say('find')}</label>
      <Combobox
        id="counter-item"
        label={words.say('find')}
        placeholder={words.say('find.hint')}
        autoFocus={matchMedia('(pointer: fine)').matches}
        text={text}
        onText={(next) => {
          setText(next);
          setEarly(false);
        }}
        choices={choices}
        error={error}
        none={settled ? words.say('find.none') : words.say('find.looking')}
        onChoose={({ line }) => add(line)}
      />
      {text === '' ? <Tiles onAdd={add} /> : null}
    </div>
  );
}
