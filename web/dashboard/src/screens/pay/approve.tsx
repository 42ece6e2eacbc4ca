/** Approves pay until a day, after a preview of what each instructor gets. */
import { useState } from 'react';
import type { Effect } from 'rollcall-sdk';
import { amountOf, dateAt } from '../../words/times.ts';
import { clientOf } from '../../app/client.ts';
import { Effects } from '../../changes/effects.tsx';
import { Field } from '../../ui/field.tsx';
import { lastMonth } from '../../app/months.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useInstructors } from './instructors.ts';
import { words } from './words.ts';

export function Approve({ onClose }: { readonly onClose: () => void }) {
  const { id: business, timezone } = useBusiness();
  const [today] = useState(() => dateAt(Date.now(), timezone));
  return (
    <ProposalForm
      title={words.say('approve')}
      onClose={onClose}
      proposal={({ through = '' }) => ({
        title: words.say('approve'),
        done: words.say('approve.done'),
        call: () => clientOf(business).call('POST /instructor_pay_periods', { body: { through } }),
        describe: ({ effects }) => (
          <>
            <Effects effects={effects} />
            <Totals effects={effects} />
          </>
        ),
      })}
    >
      {(errors) => (
        <Field label={words.say('approve.through')} hint={words.say('approve.hint')} errors={errors('through')}>
          <input name="through" type="date" defaultValue={lastMonth(today).to} />
        </Field>
      )}
    </ProposalForm>
  );
}

function Totals({ effects }: { readonly effects: readonly Effect[] }) {
  const { currency } = useBusiness();
  const instructors = useInstructors();
  const nameOf = (id: unknown): string =>
    instructors.data?.results.find((one) => one.id === id)?.name ?? `#${String(id)}`;
  const totals = effects.filter(({ effect }) => effect === 'instructor_total').map(({ detail }) => detail);
  const hasUncovered = totals.some(({ not_covered: n }) => n !== 0);
  const columns = ['pay', 'sessions', ...(hasUncovered ? (['uncovered'] as const) : [])] as const;
  return (
    <div className="wide-table" role="region" aria-label={words.say('totals')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.say('filter.instructor')}</th>
            {columns.map((one) => (
              <th key={one} scope="col" className="amount">
                {words.say(`approve.${one}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {totals.map(({ instructor, sessions, not_covered: uncovered, pay }) => (
            <tr key={String(instructor)}>
              <th scope="row">{nameOf(instructor)}</th>
              <td className="amount">{amountOf({ decimal: Number(pay), iso_currency_code: currency })}</td>
              <td className="amount">{String(sessions)}</td>
              {hasUncovered ? <td className="amount">{String(uncovered)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
