/** One field that finds people and commands: Ctrl K. */
import { useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.tsx';
import { may, useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { useDeferred } from '../app/deferred.ts';
import { words } from './words.ts';
import type { ScreenKind, ScreenName } from '../screens.ts';

export interface PaletteProps {
  readonly screens: readonly (readonly [ScreenName, ScreenKind])[];
  readonly onClose: () => void;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly more?: string;
  readonly run: () => void;
}

const PEOPLE = 6;

export function Palette({ screens, onClose }: PaletteProps) {
  const business = useBusiness();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferred(text.trim());
  const people = useCall(
    'GET /customers',
    { query: { autocomplete: wanted, page_size: PEOPLE }, fields: ['id', 'first_name', 'last_name', 'email'] },
    { enabled: wanted.length > 1 && may(business, 'customers', 'attendances', 'pos'), keep: true },
  );
  const go = (path: string) => () => {
    onClose();
    void navigate({ to: `/${business.id}/${path}` as string });
  };
  const commands: Choice[] = screens
    .map(([name, { path }]) => ({
      key: name,
      label: words.say('palette.go', { screen: words.say(`screen.${name}`) }),
      run: go(path),
    }))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const found: Choice[] =
    wanted.length > 1
      ? (people.data?.results ?? []).map((one) => ({
          key: `person ${one.id}`,
          label: `${one.first_name} ${one.last_name}`,
          more: one.email ?? '',
          run: go(`people/${one.id}`),
        }))
      : [];
  const choices = [...commands, ...found];
  const chosen = Math.min(at, choices.length - 1);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + choices.length) % Math.max(choices.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choices[chosen]?.run();
    }
  };
  return (
    <Dialog title={words.say('palette')} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}l`}
        aria-activedescendant={choices.length > 0 ? `${id}${chosen}` : undefined}
        aria-label={words.say('palette.hint')}
        placeholder={words.say('palette.hint')}
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul id={`${id}l`} role="listbox" aria-label={words.say('palette')} className="palette">
        {choices.map((choice, i) => (
          <li
            key={choice.key}
            id={`${id}${i}`}
            role="option"
            aria-selected={i === chosen}
            onMouseMove={() => setAt(i)}
            onClick={choice.run}
          >
            {choice.label} {choice.more ? <span className="soft">{choice.more}</span> : null}
          </li>
        ))}
      </ul>
      {choices.length === 0 ? <p role="status">{words.say('palette.none')}</p> : null}
    </Dialog>
  );
}
