/** The blocked days of an instructor or a venue, and blocking more. */
import { useState } from 'react';
import type { Call } from 'rollcall-sdk';
import { clientOf } from '../app/client.ts';
import { dateAt } from '../words/times.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Field } from '../ui/field.tsx';
import { ProposalForm } from '../changes/proposal-form.tsx';
import { rangesOf, shortDayOf } from './labels.ts';
import { Ranges, type Range } from './ranges.tsx';
import { None } from '../ui/listed.tsx';
import { useBusiness } from '../app/business.ts';
import { readAgain, useCall } from '../app/calls.ts';
import { useNow } from '../app/now.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export type Whose = 'instructor' | 'venue';

/** Types of availability schedules that a block applies to; null: all. */
const KINDS = ['IU', 'RRTL', 'GC'] as const;
type Kind = (typeof KINDS)[number] | null;

interface Days {
  readonly date: string;
  readonly end_date?: string | null;
  readonly blocked_times: readonly Range[];
  readonly applicable_to_availability_schedule_type: Kind;
}

export interface BlockedProps {
  readonly whose: Whose;
  readonly id: number;
}

/** From midnight to midnight. */
const WHOLE_DAY: readonly Range[] = [{ start: '00:00', end: '00:00' }];
const isWhole = ([first, ...more]: readonly Range[]): boolean =>
  more.length === 0 && first?.start === '00:00' && first.end === '00:00';

export function Blocked({ whose, id }: BlockedProps) {
  const { id: business, timezone } = useBusiness();
  const today = dateAt(useNow(), timezone);
  const propose = usePropose();
  const [adding, setAdding] = useState(false);
  const [ranges, setRanges] = useState<readonly Range[]>(WHOLE_DAY);
  const asked = { params: { id }, query: { date_gte: today } };
  const ofInstructor = useCall('GET /instructors/{id}/blocked_times', asked, { enabled: whose === 'instructor' });
  const ofVenue = useCall('GET /venues/{id}/blocked_times', asked, { enabled: whose === 'venue' });
  const found = whose === 'instructor' ? ofInstructor : ofVenue;
  const set = (days: Days): Call<unknown, any, any, true> => {
    const client = clientOf(business);
    const change = { params: { id }, body: { data: [days] } };
    return whose === 'instructor'
      ? client.call('PATCH /instructors/{id}/blocked_times', change)
      : client.call('PATCH /venues/{id}/blocked_times', change);
  };
  const unblock = (date: string, kind: Kind): void =>
    void propose({
      title: words.say('unblock.title', { day: shortDayOf(date) }),
      confirm: words.say('unblock'),
      call: () => set({ date, blocked_times: [], applicable_to_availability_schedule_type: kind }),
      done: words.say('blocked.saved'),
    });
  return (
    <>
      <p>
        <button
          type="button"
          onClick={() => {
            setRanges(WHOLE_DAY);
            setAdding(true);
          }}
        >
          {words.say('block')}
        </button>
      </p>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data?.data.length === 0 ? <None text={words.say('blocked.none')} /> : null}
      {found.data && found.data.data.length > 0 ? (
        <ul className="rows">
          {found.data.data.map(({ date, blocked_times: times, applicable_to_availability_schedule_type: kind }) => (
            <li key={`${date} ${kind}`}>
              <strong>{shortDayOf(date)}</strong>
              <span>{isWhole(times) ? words.say('blocked.whole') : rangesOf(times)}</span>
              <span className="soft small">{words.say(`blocked.kind.${kind ?? 'all'}`)}</span>
              <button
                type="button"
                className="plain end"
                aria-label={words.say('unblock.title', { day: shortDayOf(date) })}
                onClick={() => unblock(date, kind)}
              >
                {words.say('unblock')}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {adding ? (
        <ProposalForm
          title={words.say('block')}
          onClose={() => setAdding(false)}
          submit={words.say('save')}
          proposal={({ 'data.0.date': date = '', 'data.0.end_date': end, kind: of }) => {
            const kind = (of || null) as Kind;
            const last = end || date;
            const days = { date, end_date: end || null, applicable_to_availability_schedule_type: kind };
            // Undoing would also free what was blocked before.
            const replaces = found.data?.data.some(
              (one) => one.date >= date && one.date <= last && one.applicable_to_availability_schedule_type === kind,
            );
            return {
              title: words.say('block'),
              confirm: words.say('save'),
              done: words.say('blocked.saved'),
              ...(replaces && { about: <p>{words.say('week.about')}</p> }),
              undo: () =>
                void set({ ...days, blocked_times: [] })
                  .answer()
                  .then(readAgain),
              call: () => set({ ...days, blocked_times: ranges }),
            };
          }}
        >
          {(errors) => (
            <>
              <p className="soft small">{words.say('week.about')}</p>
              <Field label={words.say('day')} errors={errors('data.0.date')}>
                <input name="data.0.date" type="date" min={today} defaultValue={today} />
              </Field>
              <Field label={words.say('day.last')} hint={words.say('day.last.hint')} errors={errors('data.0.end_date')}>
                <input name="data.0.end_date" type="date" min={today} />
              </Field>
              <Ranges
                label={words.say('blocked.times')}
                ranges={ranges}
                onChange={setRanges}
                errors={errors('data.0.blocked_times')}
              />
              <p className="soft small">{words.say('blocked.times.hint')}</p>
              <Field label={words.say('blocked.for')}>
                <select name="kind">
                  <option value="">{words.say('blocked.kind.all')}</option>
                  {KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {words.say(`blocked.kind.${kind}`)}
                    </option>
                  ))}
                </select>
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
