/** Recalculates open pay with the current rates. */
import { useState } from 'react';
import type { AnswerOf } from 'rollcall-sdk';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { Effects } from '../../changes/effects.tsx';
import { Field } from '../../ui/field.tsx';
import { lastMonth } from '../../app/months.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useInstructors } from './instructors.ts';
import { words } from './words.ts';

type Recalculated = AnswerOf<'POST /instructor_pay_items/recalculate', never, never>;

export function CalculateAgain({ onClose }: { readonly onClose: () => void }) {
  const { id: business, timezone } = useBusiness();
  const [today] = useState(() => dateAt(Date.now(), timezone));
  const instructors = useInstructors();
  return (
    <ProposalForm<Recalculated>
      title={words.say('again')}
      onClose={onClose}
      proposal={({ starts_on = '', ends_on = '', instructors: one }) => ({
        title: words.say('again'),
        done: words.say('again.done'),
        call: () =>
          clientOf(business).call('POST /instructor_pay_items/recalculate', {
            body: { starts_on, ends_on, ...(one && { instructors: [Number(one)] }) },
          }),
        describe: ({ sessions, effects }) => (
          <>
            <p>{words.say('again.found', { n: sessions ?? 0 })}</p>
            <Effects effects={effects} />
          </>
        ),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('again.about')}</p>
          <Field label={words.say('again.from')} errors={errors('starts_on')}>
            <input name="starts_on" type="date" defaultValue={lastMonth(today).from} />
          </Field>
          <Field label={words.say('again.to')} errors={errors('ends_on')}>
            <input name="ends_on" type="date" defaultValue={today} />
          </Field>
          <Field label={words.say('filter.instructor')} errors={errors('instructors')}>
            <select name="instructors" defaultValue="">
              <option value="">{words.say('again.all')}</option>
              {instructors.data?.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
