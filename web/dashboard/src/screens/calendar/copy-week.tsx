/** Copies a week: each event is previewed first, and shows its outcome. */
import { useState } from 'react';
import { Refused } from 'rollcall-sdk';
import { daysAfter } from '../../app/days.ts';
import { weekOf } from './range.ts';
import { clientOf } from '../../app/client.ts';
import { copiesOf, inTurn, type Copy } from './copying.ts';
import { dateOf } from './wall.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { firstDayOfWeek } from './week.ts';
import { longDay } from './columns.ts';
import { queries } from '../../app/calls.ts';
import { readDetails, readEvents } from './events.ts';
import { reasonOf } from './ask.tsx';
import { timesOfWalls } from './chip.tsx';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

type State = 'there' | 'can' | 'copied' | 'refused';

interface Result {
  readonly copy: Copy;
  readonly state: State;
  readonly reason?: string;
}

type Stage =
  | { readonly name: 'choosing' }
  | { readonly name: 'working' }
  | { readonly name: 'tried' | 'made'; readonly results: readonly Result[] }
  | { readonly name: 'failed'; readonly error: unknown };

/** Number of concurrent calls, which leaves capacity of the service to others. */
const WIDTH = 4;

/** Returns true if it was refused because it had already been copied. */
const isThere = (error: unknown): boolean => error instanceof Refused && error.code === 'already_exists';

/**
 * Returns the outcome of a copy; a refusal is an outcome too.
 * @throws any error that is not a refusal
 */
async function outcomeOf(copy: Copy, state: State, act: () => PromiseLike<unknown>): Promise<Result> {
  try {
    await act();
    return { copy, state };
  } catch (error) {
    if (isThere(error)) return { copy, state: 'there' };
    if (error instanceof Refused) return { copy, state: 'refused', reason: reasonOf(error.problem) };
    throw error;
  }
}

export interface CopyWeekProps {
  readonly first: string;
  readonly venue: number | null;
  readonly offering: number | null;
  readonly onClose: () => void;
  /** navigates to the week */
  readonly onShow: (date: string) => void;
}

export function CopyWeek({ first, venue, offering, onClose, onShow }: CopyWeekProps) {
  const { id: business } = useBusiness();
  const [wanted, setWanted] = useState(daysAfter(first, 7));
  const [stage, setStage] = useState<Stage>({ name: 'choosing' });
  const to = wanted === '' ? null : weekOf(wanted, firstDayOfWeek)[0];
  const client = clientOf(business);

  const doing = async (act: () => Promise<Stage>): Promise<void> => {
    setStage({ name: 'working' });
    try {
      setStage(await act());
    } catch (error) {
      setStage({ name: 'failed', error });
    }
  };
  const week = (begin: string) => ({ first: begin, last: daysAfter(begin, 6), venue, offering });
  const attempt = (): Promise<void> =>
    doing(async () => {
      const [events, there, more] = await Promise.all([
        readEvents(business, week(first)),
        readEvents(business, { ...week(to!), venue: null }),
        readDetails(business, week(first)),
      ]);
      const copies = copiesOf(events, there, { from: first, to: to! }, more);
      const results = await inTurn(copies, WIDTH, async (copy) =>
        copy.there === null
          ? outcomeOf(copy, 'can', () => client.call('POST /events', { body: copy.body }).dryRun())
          : { copy, state: 'there' as const },
      );
      return { name: 'tried', results };
    });
  const make = (tried: readonly Result[]): Promise<void> =>
    doing(async () => {
      const results = await inTurn(tried, WIDTH, async (one) =>
        one.state === 'can'
          ? outcomeOf(one.copy, 'copied', () => client.call('POST /events', { body: one.copy.body }))
          : one,
      );
      await queries.invalidateQueries({ queryKey: [business, 'GET /events'] });
      return { name: 'made', results };
    });
  return (
    <Dialog title={words.say('copy')} onClose={onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt();
        }}
      >
        <p>{words.say('copy.about', { day: longDay(first) })}</p>
        <Field label={words.say('copy.to')} hint={to ? words.say('week.of', { day: longDay(to) }) : undefined}>
          <input
            type="date"
            required
            value={wanted}
            onChange={({ target }) => {
              setWanted(target.value);
              setStage({ name: 'choosing' });
            }}
          />
        </Field>
        {stage.name === 'choosing' || stage.name === 'failed' ? (
          <button type="submit" className="button" disabled={to === first}>
            {words.say('copy.try')}
          </button>
        ) : null}
      </form>
      {stage.name === 'working' ? <Loading /> : null}
      {stage.name === 'failed' ? <Failed error={stage.error} /> : null}
      {stage.name === 'tried' || stage.name === 'made' ? (
        <Results results={stage.results} made={stage.name === 'made'} />
      ) : null}
      <div className="actions">
        {stage.name === 'tried' ? (
          <button
            type="button"
            className="button"
            disabled={countOf(stage.results, 'can') === 0}
            onClick={() => void make(stage.results)}
          >
            {words.say('copy.confirm', { n: countOf(stage.results, 'can') })}
          </button>
        ) : null}
        {stage.name === 'made' ? (
          <button type="button" className="button" onClick={() => onShow(to!)}>
            {words.say('copy.show')}
          </button>
        ) : null}
      </div>
    </Dialog>
  );
}

const countOf = (results: readonly Result[], wanted: State): number =>
  results.filter(({ state }) => state === wanted).length;

interface ResultsProps {
  readonly results: readonly Result[];
  readonly made: boolean;
}

function Results({ results, made }: ResultsProps) {
  if (results.length === 0) return <Empty title={words.say('copy.none')} />;
  return (
    <>
      <p role="status">
        {words.say(made ? 'copy.made' : 'copy.sum', {
          n: countOf(results, made ? 'copied' : 'can'),
          there: countOf(results, 'there'),
          refused: countOf(results, 'refused'),
        })}
      </p>
      <ul className="rows copies">
        {results.map(({ copy: { of, body }, state, reason }) => {
          const by = Date.parse(`${body.starts_at}Z`) / 60_000 - of.from;
          return (
            <li key={of.id}>
              <span>
                <strong>{of.name}</strong>
                <br />
                <span className="soft small">
                  {longDay(dateOf(of.from + by))}, {timesOfWalls(of.from + by, of.to + by)}
                </span>
              </span>
              <span className={state === 'refused' ? 'tag wrong end' : 'tag end'}>{words.say(`copy.${state}`)}</span>
              {reason ? <span className="small reason">{reason}</span> : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}
