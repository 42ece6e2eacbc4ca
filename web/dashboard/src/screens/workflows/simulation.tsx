/**
 * A simulation of a workflow over past events: which customers it would have acted on, and which conditions were not
 * met.
 */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { actionSaid, conditionSaid, useNames, type Condition } from './kinds.ts';
import { dateAt, momentOf } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Kept } from '../../ui/kept.tsx';
import { nameOf } from '../../app/customers.ts';
import { ui } from '../../ui/words.ts';
import { useActions } from './steps.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePreview } from '../../app/preview.ts';
import { words } from './words.ts';

const PAGE = 50;

/** Returns the same day of the previous month, or its last day. */
function monthBefore(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 2, Math.min(day, last))).toISOString().slice(0, 10);
}

interface Period {
  /** dates, both inclusive */
  readonly from: string;
  readonly to: string;
}

function usePastMonth(): Period {
  const { timezone } = useBusiness();
  const [today] = useState(() => dateAt(Date.now(), timezone));
  return { from: monthBefore(today), to: today };
}

// Simulates the workflow over a period. A time without an offset is in the time zone of the business.
const useSimulation = (id: number, { from, to }: Period) =>
  usePreview(
    'POST /crm/workflows/{id}/simulate',
    { params: { id }, body: { from: `${from}T00:00:00`, to: `${to}T23:59:59` } },
    from !== '' && to !== '',
  );

type Found = NonNullable<ReturnType<typeof useSimulation>['data']>;

function Counts({ found }: { readonly found: Found }) {
  const people = new Set(found.runs.map(({ customer }) => customer)).size;
  const acts = found.runs.flatMap(({ actions }) => actions);
  return (
    <>
      <p>
        <strong>{words.say('would.run', { n: found.runs.length })}</strong> {words.say('would.people', { n: people })}
      </p>
      <ul>
        <li>{words.say('would.act', { n: found.would_act })}</li>
        <li>{words.say('would.skip', { n: found.would_skip })}</li>
        <li>{words.say('would.wait', { n: acts.filter(({ would }) => would === 'not_yet').length })}</li>
      </ul>
      {found.is_complete ? null : <p className="soft small">{words.say('would.first', { n: found.items })}</p>}
      {found.facts_of_today.length > 0 ? (
        <p className="soft small">
          {words.say('would.today', {
            what: found.facts_of_today
              .map((type) => words.say(`condition.${type as Condition['condition_type']}`))
              .join(', '),
          })}
        </p>
      ) : null}
    </>
  );
}

/** Shown before the workflow is switched on. */
export function Summary({ workflow }: { readonly workflow: number }) {
  const found = useSimulation(workflow, usePastMonth());
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  return (
    <>
      <p>{words.say('would.before')}</p>
      <Kept read={found}>
        <Counts found={found.data} />
      </Kept>
    </>
  );
}

export function Simulation({ workflow }: { readonly workflow: number }) {
  const past = usePastMonth();
  const [period, setPeriod] = useState<Period>(past);
  const found = useSimulation(workflow, period);
  const day = (name: keyof Period) => (
    <label>
      {words.say(`period.${name}`)}
      <input
        type="date"
        value={period[name]}
        onChange={({ target: { value } }) => setPeriod({ ...period, [name]: value })}
      />
    </label>
  );
  return (
    <>
      <p>{words.say('simulation.about')}</p>
      <div className="tools">
        {day('from')}
        {day('to')}
      </div>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data && !found.error ? (
        <Kept read={found}>
          <div role="status">
            <Counts found={found.data} />
          </div>
          <Times workflow={workflow} runs={found.data.runs} />
        </Kept>
      ) : null}
    </>
  );
}

function Times({ workflow, runs }: { readonly workflow: number; readonly runs: Found['runs'] }) {
  const { id: business, timezone } = useBusiness();
  const [shown, setShown] = useState(PAGE);
  const names = useNames();
  const actions = useActions(workflow);
  const seen = runs.slice(0, shown);
  const last = seen.slice(-PAGE).map(({ customer }) => customer);
  const people = useCall(
    'GET /customers',
    { query: { ids: [...new Set(last)], page_size: 100 }, fields: ['id', 'first_name', 'last_name'] },
    { enabled: last.length > 0, keep: true },
  );
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map());
  const fresh = (people.data?.results ?? []).filter(({ id }) => !known.has(id));
  if (fresh.length > 0) setKnown(new Map([...known, ...fresh.map((one) => [one.id, nameOf(one)] as const)]));
  const does = (id: number, type: string): string => {
    const action = actions.data?.results.find((one) => one.id === id);
    return action ? actionSaid(action, names) : type;
  };
  if (runs.length === 0) return null;
  return (
    <>
      <ul className="rows" aria-label={words.say('would.list')}>
        {seen.map((run) => (
          <li key={run.feed_item}>
            <Link to={`/${business}/people/${run.customer}` as string}>
              {known.get(run.customer) || words.say('customer', { id: run.customer })}
            </Link>
            <span className="soft small">{momentOf(run.triggered_at, timezone)}</span>
            <ul className="end plain-list">
              {run.actions.map((one) => {
                const failed = (one.conditions as { condition: Condition; holds: boolean }[]).filter(
                  ({ holds }) => !holds,
                );
                return (
                  <li key={one.workflow_action}>
                    <span className={one.would === 'act' ? 'tag good' : 'tag'}>
                      {words.say(`would.${one.would}.tag`)}
                    </span>{' '}
                    {does(one.workflow_action, one.action_type)}
                    {one.would === 'skip' ? (
                      <span className="soft small">
                        {' '}
                        {words.say('would.not', {
                          what: failed.map(({ condition }) => conditionSaid(condition, names)).join(', '),
                        })}
                      </span>
                    ) : null}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
      {runs.length > shown ? (
        <p>
          <button type="button" className="second" onClick={() => setShown(shown + PAGE)}>
            {ui.say('more')}
          </button>
        </p>
      ) : null}
    </>
  );
}
