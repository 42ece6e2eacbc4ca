/** Closures: the effects are previewed, and a closure can be undone as a whole. */
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { Field } from '../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { shortDayOf } from '../../hours/labels.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from '../../hours/words.ts';

export function Closures() {
  const { id: business, timezone } = useBusiness();
  const today = dateAt(useNow(), timezone);
  const propose = usePropose();
  const [address, change] = useAddress();
  const list = usePages('GET /business_closures', {
    query: { closure_date_gte: today, sort: ['closure_date'], page_size: 50 },
    fields: ['id', 'closure_date', 'reason', 'cancelled_events', 'venue.name'],
  });
  const reopen = (id: number): void =>
    void propose({
      title: words.say('closure.undo.title'),
      confirm: words.say('closure.undo'),
      call: () => clientOf(business).call('POST /business_closures/{id}/reopen', { params: { id }, body: {} }),
      done: words.say('closure.undone'),
      about: <p>{words.say('closure.undo.about')}</p>,
    });
  const openOne = (id: number, day: string): void =>
    void propose({
      title: words.say('closure.one.title', { day }),
      confirm: words.say('closure.one'),
      call: () => clientOf(business).call('DELETE /business_closures/{id}', { params: { id } }),
      done: words.say('closure.one.done', { day }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('close'), needs: ['super_admin'], act: () => change({ do: 'new' }) },
  ];
  return (
    <>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('closures.none')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, closure_date, reason, cancelled_events, venue }) => (
              <li key={id}>
                <strong>{shortDayOf(closure_date)}</strong>
                <span className="soft">{venue?.name ?? words.say('venue.all')}</span>
                {reason ? <span>{reason}</span> : null}
                {cancelled_events ? (
                  <span className="tag">{words.say('closure.cancelled', { n: cancelled_events })}</span>
                ) : null}
                <button
                  type="button"
                  className="plain end"
                  aria-label={words.say('closure.one.title', { day: shortDayOf(closure_date) })}
                  onClick={() => openOne(id, shortDayOf(closure_date))}
                >
                  {words.say('closure.one')}
                </button>
                <button
                  type="button"
                  className="plain"
                  aria-label={words.say('closure.undo.on', { day: shortDayOf(closure_date) })}
                  onClick={() => reopen(id)}
                >
                  {words.say('closure.undo')}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {address.do === 'new' ? (
        <Close today={today} day={address.date ?? today} onClose={() => change({ do: undefined, date: undefined })} />
      ) : null}
    </>
  );
}

interface CloseProps {
  readonly today: string;
  /** the day that is proposed */
  readonly day: string;
  readonly onClose: () => void;
}

function Close({ today, day, onClose }: CloseProps) {
  const { id: business } = useBusiness();
  const venues = useCall('GET /venues', { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] });
  const all = venues.data?.results ?? [];
  return (
    <ProposalForm
      title={words.say('close')}
      onClose={onClose}
      proposal={({ from = '', to, venue, reason, message, notify, extend }) => ({
        title: words.say('close'),
        done: words.say('closed.done'),
        grave: true,
        call: () =>
          clientOf(business).call('POST /business_closures/bulk_close', {
            body: {
              from,
              to: to || from,
              venues: venue ? [Number(venue)] : null,
              reason: reason || null,
              extend_memberships: extend !== undefined,
              notify: { email: { send: notify !== undefined, message: message || null } },
            },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('day')} errors={errors('from')}>
            <input name="from" type="date" min={today} defaultValue={day} />
          </Field>
          <Field label={words.say('day.last')} hint={words.say('day.last.hint')} errors={errors('to')}>
            <input name="to" type="date" min={today} />
          </Field>
          {all.length > 1 ? (
            <Field label={words.say('schedule.venue')} errors={errors('venues')}>
              <select name="venue">
                <option value="">{words.say('venue.all')}</option>
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          ) : null}
          <Field label={words.say('closure.reason')} hint={words.say('closure.reason.hint')} errors={errors('reason')}>
            <input name="reason" maxLength={500} autoComplete="off" />
          </Field>
          <label className="box">
            <input type="checkbox" name="notify" defaultChecked /> {words.say('closure.notify')}
          </label>
          <Field label={words.say('closure.message')} errors={errors('notify.email.message')}>
            <textarea name="message" rows={3} maxLength={4000} />
          </Field>
          <label className="box">
            <input type="checkbox" name="extend" /> {words.say('closure.extend')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}
