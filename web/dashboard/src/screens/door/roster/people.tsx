/** Rows of a roster. The arrow keys move between rows, and the space bar marks, as it presses any button. */
import type { KeyboardEvent } from 'react';
import { Flags } from './flags.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { nameOf } from '../people.ts';
import { words } from '../words.ts';
import type { Person } from '../read.ts';
import type { Status } from '../marks/queue.ts';
import check from 'icon:check';
import more from 'icon:ellipsis';
import x from 'icon:x';

export interface PeopleProps {
  readonly people: readonly Person[];
  /** null if nothing can be marked */
  readonly onMark: ((person: Person, status: Status) => void) | null;
  readonly onMore: (person: Person) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus to the same button of the next row. */
function move(press: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[press.key];
  const row = (press.target as HTMLElement).closest('li');
  if (step === undefined || !row) return;
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  if (!next) return;
  press.preventDefault();
  const at = [...row.querySelectorAll('button')].indexOf(press.target as HTMLButtonElement);
  const buttons = next.querySelectorAll('button');
  (buttons[at] ?? buttons[0])?.focus();
}

export function People({ people, onMark, onMore }: PeopleProps) {
  if (people.length === 0) return null;
  return (
    <ul className="rows people" onKeyDown={move}>
      {people.map((person) => (
        <Row key={person.id} {...{ person, onMark, onMore }} />
      ))}
    </ul>
  );
}

function Row({ person, onMark, onMore }: Omit<PeopleProps, 'people'> & { readonly person: Person }) {
  const name = nameOf(person) || words.say('nobody');
  const { status } = person;
  const toggle = (to: Status): void => onMark!(person, status === to ? 'registered' : to);
  return (
    <li className={`is-${status}`}>
      {onMark ? (
        <>
          <button
            type="button"
            className="mark present"
            aria-pressed={status === 'attended'}
            aria-label={words.say('present.of', { name })}
            onClick={() => toggle('attended')}
          >
            <Icon of={check} /> <span>{words.say('present')}</span>
          </button>
          <button
            type="button"
            className="mark absent"
            aria-pressed={status === 'no_show'}
            aria-label={words.say('absent.of', { name })}
            onClick={() => toggle('no_show')}
          >
            <Icon of={x} /> <span>{words.say('absent')}</span>
          </button>
        </>
      ) : (
        <span className="tag">{words.say(`status.${status}`)}</span>
      )}
      <span className="who">
        <strong>{name}</strong>
        {person.place === 'online' ? <span className="tag">{words.say('place.online')}</span> : null}
        <Flags person={person} />
      </span>
      <button
        type="button"
        className="second end more"
        aria-label={words.say('more.of', { name })}
        onClick={() => onMore(person)}
      >
        <Icon of={more} />
      </button>
    </li>
  );
}
