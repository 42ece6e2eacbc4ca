/**
 * The dates with the previewed outcome of each. A date can be left out; a date of an appointment can get another time.
 */
import type { AskedOf } from 'rollcall-sdk';
import { dayOf, timeOf } from '../../../words/times.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { OutcomeTag } from './outcome.tsx';
import { usePreview } from '../../../app/preview.ts';
import { words } from '../words.ts';
import type { Instructor } from '../../../app/places.ts';

type Body = AskedOf<'POST /recurring_reservations/preview', never, never>['body'];

export interface Move {
  readonly date: string;
  readonly local_starts_at: string;
  readonly instructor: number | null;
  readonly venue_room: number | null;
}

export interface PreviewedProps {
  readonly body: Body;
  readonly instructors: readonly Instructor[];
  readonly skipped: readonly string[];
  readonly moved: readonly Move[];
  readonly onSkip: (dates: readonly string[]) => void;
  readonly onMove: (moves: readonly Move[]) => void;
}

const keyOf = ({ local_starts_at, instructor, venue_room }: Omit<Move, 'date'>): string =>
  `${local_starts_at} ${instructor} ${venue_room}`;

export function Previewed({ body, instructors, skipped, moved, onSkip, onMove }: PreviewedProps) {
  const preview = usePreview('POST /recurring_reservations/preview', { body });
  if (preview.error) return <Failed error={preview.error} again={() => void preview.refetch()} />;
  if (!preview.data) return <Loading />;
  const saidOf = ({ local_starts_at, instructor }: Omit<Move, 'date'>): string =>
    [
      dayOf(`${local_starts_at}Z`, 'UTC'),
      timeOf(`${local_starts_at}Z`, 'UTC'),
      instructors.find(({ id }) => id === instructor)?.name,
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <section aria-label={words.say('preview')} aria-busy={preview.isFetching}>
      <h3>{words.say('preview')}</h3>
      <ul className="rows">
        {preview.data.dates.map(({ date, starts_at, outcome, messages, alternatives }) => {
          const day = dayOf(`${date}T12:00:00Z`, 'UTC');
          const move = moved.find((one) => one.date === date);
          return (
            <li key={date}>
              <span>
                {/* Includes the offset of the venue, so that its local time can be read from it. */}
                {day}, {timeOf(`${starts_at.slice(0, 16)}:00Z`, 'UTC')}
              </span>
              <span className="end">
                <OutcomeTag outcome={outcome} />
              </span>
              {messages.length > 0 ? <span className="whole small soft">{messages.join(' ')}</span> : null}
              {alternatives.length > 0 || move ? (
                <label className="whole">
                  {words.say('instead', { day })}{' '}
                  <select
                    value={move ? keyOf(move) : ''}
                    onChange={({ target }) => {
                      const chosen = alternatives.find((one) => keyOf(one) === target.value);
                      const others = moved.filter((one) => one.date !== date);
                      onMove(chosen ? [...others, { date, ...chosen }] : others);
                    }}
                  >
                    <option value="">{words.say('instead.none')}</option>
                    {move && !alternatives.some((one) => keyOf(one) === keyOf(move)) ? (
                      <option value={keyOf(move)}>{saidOf(move)}</option>
                    ) : null}
                    {alternatives.map((one) => (
                      <option key={keyOf(one)} value={keyOf(one)}>
                        {saidOf(one)}
                      </option>
                    ))}
                  </select>
                </label>
              ) : null}
              <button
                type="button"
                className="plain"
                aria-label={words.say('skip.of', { day })}
                onClick={() => onSkip([...skipped, date])}
              >
                {words.say('skip')}
              </button>
            </li>
          );
        })}
      </ul>
      {skipped.length > 0 ? (
        <ul className="plain-list" aria-label={words.say('skipped')}>
          {skipped.map((date) => (
            <li key={date}>
              {dayOf(`${date}T12:00:00Z`, 'UTC')}: {words.say('skipped')}{' '}
              <button
                type="button"
                className="plain"
                aria-label={words.say('skip.undo.of', { day: dayOf(`${date}T12:00:00Z`, 'UTC') })}
                onClick={() => onSkip(skipped.filter((one) => one !== date))}
              >
                {words.say('skip.undo')}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
