/** Holds and extensions for the memberships of several customers: one call of the interface, with a result for each. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { ProposalForm, type Typed } from '../../changes/proposal-form.tsx';
import { Results, type Result } from '../../changes/many.tsx';
import { ui } from '../../ui/words.ts';
import { None } from '../../ui/listed.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const MAX_ROWS = 100;

interface DatedProps {
  readonly kind: 'hold' | 'extend';
  readonly chosen: ReadonlyMap<number, string>;
  readonly onClose: () => void;
}

/** The result for each id. */
type Rows = Readonly<
  Record<string, { readonly status?: string; readonly error?: { readonly message: string } | null }>
>;

export function Dated({ kind, chosen, onClose }: DatedProps) {
  const { id: business, timezone } = useBusiness();
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const owned = usePages('GET /customer_memberships', {
    query: { customer: [...chosen.keys()], status: ['active'], page_size: MAX_ROWS },
    fields: ['id', 'name', 'customer.id', 'expiration_date'],
  });
  const all = owned.data?.pages.flatMap((page) => page.results) ?? [];
  if (owned.hasNextPage && !owned.isFetchingNextPage && !owned.error) void owned.fetchNextPage();
  const ids = all.filter((one) => kind === 'hold' || one.expiration_date !== null).map(({ id }) => id);
  const title = words.say(`bulk.${kind}`);
  if (results || owned.error || !owned.data || owned.hasNextPage || ids.length === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        {owned.error ? <Failed error={owned.error} again={() => void owned.refetch()} /> : null}
        {results ? <Results results={results} /> : null}
        {!results && !owned.error && (!owned.data || owned.hasNextPage) ? <Loading /> : null}
        {!results && owned.data && !owned.hasNextPage && ids.length === 0 ? (
          <None text={words.say('bulk.no_memberships')} />
        ) : null}
        <div className="actions">
          <button type="button" className="second" onClick={onClose}>
            {ui.say('close')}
          </button>
        </div>
      </Dialog>
    );
  const labelOf = (id: number): string => {
    const one = all.find((membership) => membership.id === id);
    return one ? `${chosen.get(one.customer?.id ?? 0) ?? ''}: ${one.name}` : String(id);
  };
  const call = (typed: Typed) =>
    kind === 'hold'
      ? clientOf(business).call('PUT /customer_memberships/bulk_create_holds', {
          body: {
            customermembership_ids: ids,
            hold_type: typed.end_date ? 'finite' : 'open_ended',
            start_date: typed.start_date ?? '',
            ...(typed.end_date && { end_date: typed.end_date }),
            extend_expirations: typed.extend_expirations !== undefined,
          },
        })
      : clientOf(business).call('PUT /customer_memberships/bulk_extend_expiration_dates', {
          body: { customermembership_ids: ids, days: Number(typed.days) },
        });
  return (
    <ProposalForm<{ readonly customer_memberships: Record<string, unknown> }>
      title={title}
      onClose={onClose}
      proposal={(typed) => ({
        title,
        about: <p>{words.say('bulk.memberships', { n: ids.length })}</p>,
        call: () => call(typed) as never,
        done: words.say('bulk.made'),
      })}
      onMade={({ customer_memberships: rows }) =>
        setResults(
          ids.map((id) => ({
            key: id,
            label: labelOf(id),
            error: (rows as Rows)[id]?.status === 'error' ? ((rows as Rows)[id].error?.message ?? '') : null,
          })),
        )
      }
    >
      {(errors) =>
        kind === 'hold' ? (
          <>
            <Field label={words.say('field.start_date')} errors={errors('start_date')}>
              <input name="start_date" type="date" required defaultValue={dateAt(Date.now(), timezone)} />
            </Field>
            <Field
              label={words.say('field.end_date')}
              hint={words.say('field.end_date.hint')}
              errors={errors('end_date')}
            >
              <input name="end_date" type="date" />
            </Field>
            <label className="box">
              <input name="extend_expirations" type="checkbox" defaultChecked /> {words.say('field.extend_expirations')}
            </label>
          </>
        ) : (
          <Field label={words.say('field.days')} errors={errors('days')}>
            <input name="days" type="number" min={1} required defaultValue={7} />
          </Field>
        )
      }
    </ProposalForm>
  );
}
