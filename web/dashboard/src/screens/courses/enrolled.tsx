/** The enrolled customers, and how each of them pays. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf } from '../../words/times.ts';
import { CancelEnrolment } from './cancel-enrolment.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Enrol } from './enrol.tsx';
import { Enrolment } from './enrolment.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { maySeeCustomers } from '../../app/customers.ts';
import { MAY_ENROL, mayEnrol, type Run } from './read.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { whoseOf } from './labels.ts';
import { words } from './words.ts';
import type { ItemOf } from 'rollcall-sdk';

const FIELDS = [
  'id',
  'status',
  'paid_by',
  'price',
  'credited',
  'session_count',
  'course_sessions',
  'customer.id',
  'customer.first_name',
  'customer.last_name',
  'customer_membership.name',
] as const;

export type EnrolmentRead = ItemOf<'GET /course_enrollments', (typeof FIELDS)[number]>;

export function Enrolled({ run }: { readonly run: Run }) {
  const business = useBusiness();
  const [{ enrolled }] = useAddress();
  const status = enrolled === 'cancelled' ? 'cancelled' : 'active';
  const [adding, setAdding] = useState(false);
  const [doing, setDoing] = useState<{ readonly what: 'sessions' | 'cancel'; readonly one: EnrolmentRead } | null>(
    null,
  );
  const close = (): void => setDoing(null);
  const list = usePages(
    'GET /course_enrollments',
    { query: { course_date_series: [run.id], status: [status], page_size: 50 }, fields: FIELDS },
    { keep: true },
  );
  const enrols = mayEnrol(business);
  const next: readonly NextStep[] =
    enrols && run.status === 'active'
      ? [{ label: words.say('enrol'), needs: MAY_ENROL, act: () => setAdding(true) }]
      : [];
  return (
    <section aria-labelledby="enrolled">
      <h2 id="enrolled">{words.say('enrolled')}</h2>
      <div className="tools">
        <ChoiceFilter
          name="enrolled"
          label={words.say('enrolled.which')}
          choices={[
            ['active', words.say('enrolled.active')],
            ['cancelled', words.say('enrolled.cancelled')],
          ]}
        />
        <NextSteps list={list} next={next} />
      </div>
      <Listed
        list={list}
        none={words.say(status === 'active' ? 'enrolled.none' : 'enrolled.none.cancelled')}
        next={next}
      >
        {(all) => (
          <ul className="rows">
            {all.map((one) => {
              const name = whoseOf(one.customer);
              return (
                <li key={one.id}>
                  {one.customer && maySeeCustomers(business) ? (
                    <Link to={`/${business.id}/people/${one.customer.id}` as string}>
                      <strong>{name}</strong>
                    </Link>
                  ) : (
                    <strong>{name}</strong>
                  )}
                  <span className="soft">
                    {[
                      words.say('sessions.n', { n: one.session_count }),
                      one.customer_membership?.name ?? words.say(`paid_by.${one.paid_by}`),
                      ['checkout', 'account'].includes(one.paid_by) && one.price ? amountOf(one.price) : null,
                      one.credited && one.credited.decimal > 0
                        ? words.say('credited', { amount: amountOf(one.credited) })
                        : null,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <span className="row-actions end">
                    <RowButton
                      text={words.say('sessions')}
                      about={name}
                      onClick={() => setDoing({ what: 'sessions', one })}
                    />
                    {enrols && one.status === 'active' ? (
                      <RowButton
                        text={words.say('enrolment.cancel')}
                        about={name}
                        onClick={() => setDoing({ what: 'cancel', one })}
                      />
                    ) : null}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {adding ? <Enrol run={run} first={null} onClose={() => setAdding(false)} /> : null}
      {doing?.what === 'sessions' ? <Enrolment run={run} enrolment={doing.one} onClose={close} /> : null}
      {doing?.what === 'cancel' ? <CancelEnrolment enrolment={doing.one} onClose={close} /> : null}
    </section>
  );
}
