/** The runs of a workflow: for whom, with which result, and why an action was skipped. */
import { Link } from '@tanstack/react-router';
import { actionSaid, conditionSaid, useNames, type Condition } from './kinds.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { useActions } from './steps.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const STATUSES = ['waiting', 'done', 'stopped'] as const;

export function Runs({ workflow }: { readonly workflow: number }) {
  const { id: business, timezone } = useBusiness();
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const names = useNames();
  const actions = useActions(workflow);
  const list = usePages('GET /crm/workflow_runs', {
    query: { workflow, ...(status && { status }), sort: ['-id'], page_size: 30 },
    fields: [
      'id',
      'triggered_at',
      'status',
      'reason',
      'steps',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  const does = (id: number): string => {
    const action = actions.data?.results.find((one) => one.id === id);
    return action ? actionSaid(action, names) : words.say('step.gone');
  };
  return (
    <>
      <div className="tools">
        <ChoiceFilter
          name="status"
          label={words.say('run.status')}
          any={words.say('any')}
          choices={STATUSES.map((one) => [one, words.say(`run.${one}`)])}
        />
      </div>
      <Listed list={list} none={words.say('runs.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.runs')}>
            {all.map(({ id, triggered_at, status: now, reason, steps, customer }) => (
              <li key={id}>
                {customer ? (
                  <Link to={`/${business}/people/${customer.id}` as string}>
                    {nameOf(customer) || words.say('customer', { id: customer.id })}
                  </Link>
                ) : null}
                <span className="soft small">{momentOf(triggered_at, timezone)}</span>
                <ul className="plain-list">
                  {steps.map((step) => {
                    const failed = (step.conditions as { condition: Condition; holds: boolean }[]).filter(
                      ({ holds }) => !holds,
                    );
                    return (
                      <li key={step.id}>
                        <span className={step.status === 'acted' ? 'tag good' : 'tag'}>
                          {words.say(`run.step.${step.status}`)}
                        </span>{' '}
                        {does(step.workflow_action)}{' '}
                        <span className="soft small">
                          {step.status === 'waiting'
                            ? words.say('run.due', { time: momentOf(step.due_at, timezone) })
                            : failed.length > 0
                              ? words.say('would.not', {
                                  what: failed.map(({ condition }) => conditionSaid(condition, names)).join(', '),
                                })
                              : step.reason}
                        </span>
                      </li>
                    );
                  })}
                </ul>
                {reason ? <span className="soft small">{reason}</span> : null}
                <span className={now === 'stopped' ? 'tag wrong end' : 'tag end'}>{words.say(`run.${now}`)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
