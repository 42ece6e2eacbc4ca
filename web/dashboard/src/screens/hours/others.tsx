/** Overrides: different hours on individual dates. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { rangesOf, shortDayOf } from '../../hours/labels.ts';
import { Ranges, type Range } from '../../hours/ranges.tsx';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { readAgain, useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from '../../hours/words.ts';

export function Others({ schedule }: { readonly schedule: number }) {
  const { id: business, timezone } = useBusiness();
  const today = dateAt(useNow(), timezone);
  const propose = usePropose();
  const [adding, setAdding] = useState(false);
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const params = { id: schedule };
  const found = useCall('GET /availability_schedules/{id}/overrides', { params, query: { date_gte: today } });
  const set = (
    overrides: readonly { date: string; end_date?: string | null; availability: readonly Range[] | null }[],
  ) => clientOf(business).call('PATCH /availability_schedules/{id}/overrides', { params, body: { overrides } });
  /** Returns the special hours that these days have now. */
  const before = (first: string, last: string) =>
    (found.data?.overrides ?? []).filter(({ date }) => date >= first && date <= last);
  const again = (date: string): void =>
    void propose({
      title: words.say('other.weekly.title', { day: shortDayOf(date) }),
      confirm: words.say('other.weekly'),
      call: () => set([{ date, availability: null }]),
      done: words.say('schedule.saved'),
    });
  const allAgain = (): void =>
    void propose({
      title: words.say('others.clear'),
      confirm: words.say('other.weekly'),
      grave: true,
      call: () =>
        clientOf(business).call('DELETE /availability_schedules/{id}/overrides', {
          params,
          query: { date_gte: today },
        }),
      done: words.say('schedule.saved'),
    });
  return (
    <section className="card" aria-labelledby="others">
      <h2 id="others">{words.say('others')}</h2>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {!found.data && !found.error ? <Loading /> : null}
      {found.data?.overrides.length === 0 ? <None text={words.say('others.none')} /> : null}
      <ul className="plain-list">
        {found.data?.overrides.map(({ date, availability }) => (
          <li key={date} className="line">
            <span>
              <strong>{shortDayOf(date)}</strong>{' '}
              {availability.length > 0 ? rangesOf(availability) : words.say('closed')}
            </span>
            <button
              type="button"
              className="plain end"
              aria-label={words.say('other.weekly.on', { day: shortDayOf(date) })}
              onClick={() => again(date)}
            >
              {words.say('other.weekly')}
            </button>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button
          type="button"
          className="second"
          onClick={() => {
            setRanges([]);
            setAdding(true);
          }}
        >
          {words.say('other.add')}
        </button>
        {(found.data?.overrides.length ?? 0) > 1 ? (
          <button type="button" className="second" onClick={allAgain}>
            {words.say('others.clear')}
          </button>
        ) : null}
      </div>
      {adding ? (
        <ProposalForm
          title={words.say('other.add')}
          onClose={() => setAdding(false)}
          submit={words.say('save')}
          proposal={({ 'overrides.0.date': date = '', 'overrides.0.end_date': end }) => ({
            title: words.say('other.add'),
            confirm: words.say('save'),
            done: words.say('schedule.saved'),
            call: () => set([{ date, end_date: end || null, availability: ranges }]),
            undo: () =>
              void set([{ date, end_date: end || null, availability: null }, ...before(date, end || date)])
                .answer()
                .then(readAgain),
          })}
        >
          {(errors) => (
            <>
              <Field label={words.say('day')} errors={errors('overrides.0.date')}>
                <input name="overrides.0.date" type="date" min={today} defaultValue={today} />
              </Field>
              <Field
                label={words.say('day.last')}
                hint={words.say('day.last.hint')}
                errors={errors('overrides.0.end_date')}
              >
                <input name="overrides.0.end_date" type="date" min={today} />
              </Field>
              <Ranges
                label={words.say('other.hours')}
                ranges={ranges}
                onChange={setRanges}
                errors={errors('overrides.0.availability')}
              />
              <p className="soft small">{words.say('other.hours.hint')}</p>
              <p className="soft small">{words.say('week.about')}</p>
            </>
          )}
        </ProposalForm>
      ) : null}
    </section>
  );
}
