/** One change for several holds, in one call: each has its own result, in the preview and afterwards. */
import { useState } from 'react';
import { Choice } from '../inputs.tsx';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Effects } from '../../../changes/effects.tsx';
import { Field } from '../../../ui/field.tsx';
import { holdName, type HoldRead } from './read.ts';
import { oneOf } from '../typed.ts';
import { ProposalForm, type Typed } from '../../../changes/proposal-form.tsx';
import { Results, type Result } from '../../../changes/many.tsx';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from '../words.ts';

const HOWS = ['until', 'longer', 'open', 'end'] as const;
type How = (typeof HOWS)[number];

/** The result for each id. */
type Rows = Readonly<Record<string, { readonly status: string; readonly error: { readonly message: string } | null }>>;

const editOf = (how: How, { end_date = '', days }: Typed) =>
  ({
    until: { end_date },
    longer: { days_to_add: Number(days) },
    open: { make_open_ended: true },
    end: { end_immediately: true },
  })[how];

export interface ChangeHoldsProps {
  readonly holds: readonly HoldRead[];
  readonly onClose: () => void;
}

export function ChangeHolds({ holds, onClose }: ChangeHoldsProps) {
  const { id: business } = useBusiness();
  const [how, setHow] = useState<How>('until');
  const [results, setResults] = useState<readonly Result[] | null>(null);
  // The interface changes the current or next hold of a membership, so each membership is listed once.
  const byMembership = new Map(holds.map((hold) => [hold.customer_membership?.id ?? 0, hold]));
  const title = words.say('holds.change', { n: byMembership.size });
  const resultsOf = (rows: unknown): Result[] =>
    [...byMembership].map(([key, hold]) => {
      const said = (rows as Rows | undefined)?.[key];
      return { key, label: holdName(hold), error: said?.status === 'error' ? (said.error?.message ?? '') : null };
    });
  if (results)
    return (
      <Dialog title={title} onClose={onClose}>
        <Results results={results} />
        <div className="actions">
          <button type="button" className="second" onClick={onClose}>
            {ui.say('close')}
          </button>
        </div>
      </Dialog>
    );
  return (
    <ProposalForm<{ readonly customer_memberships: unknown }>
      title={title}
      onClose={onClose}
      onMade={({ customer_memberships }) => setResults(resultsOf(customer_memberships))}
      proposal={(typed) => ({
        title,
        done: words.say('holds.changed'),
        call: () =>
          clientOf(business).call('PUT /customer_memberships/bulk_edit_holds', {
            body: { customermembership_ids: [...byMembership.keys()], ...editOf(how, typed) },
          }) as never,
        describe: ({ effects, customer_memberships }) => (
          <>
            <Effects effects={effects} />
            <Results results={resultsOf(customer_memberships).filter(({ error }) => error !== null)} />
          </>
        ),
      })}
    >
      {(errors) => (
        <>
          <Choice
            name="how"
            label={words.say('holds.how')}
            choices={HOWS.map((one) => [one, words.say(`holds.how.${one}`)])}
            onChoose={(value) => setHow(oneOf(HOWS, value))}
          />
          {how === 'until' ? (
            <Field label={words.say('field.last_day')} errors={errors('end_date')}>
              <input name="end_date" type="date" required />
            </Field>
          ) : null}
          {how === 'longer' ? (
            <Field label={words.say('holds.days')} errors={errors('days_to_add')}>
              <input name="days" type="number" min={1} max={1000} required defaultValue={7} />
            </Field>
          ) : null}
        </>
      )}
    </ProposalForm>
  );
}
