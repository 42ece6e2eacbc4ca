/** All classes that have ended with their pay: open, approved, or not covered by a rate. */
import { useState } from 'react';
import { ChoiceFilter, ClearFilters } from '../../ui/filters.tsx';
import { CalculateAgain } from './calculate-again.tsx';
import { Items } from '../../pay/items.tsx';
import { Listed } from '../../ui/listed.tsx';
import { useAddress } from '../../app/address.ts';
import { useInstructors } from './instructors.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import { words as ofPay } from '../../pay/words.ts';

/** The states that the address can choose. */
const STATES = {
  open: { status: ['open'] },
  approved: { status: ['approved'] },
  uncovered: { covered: false },
} as const;
const NAMES = Object.keys(STATES) as (keyof typeof STATES)[];

export function Sessions() {
  const [address] = useAddress();
  const [calculating, setCalculating] = useState(false);
  const instructors = useInstructors();
  const state = NAMES.find((one) => one === address.status);
  const [instructor, period] = [Number(address.instructor), Number(address.period)];
  const list = usePages(
    'GET /instructor_pay_items',
    {
      query: {
        ...(state && STATES[state]),
        ...(instructor > 0 && { instructors: [instructor] }),
        ...(period > 0 && { instructor_pay_periods: [period] }),
        sort: ['-starts_at'],
        page_size: 50,
      },
      fields: ['id', 'pay', 'status', 'event.name', 'event.starts_at', 'event.timezone', 'instructor.name'],
    },
    { keep: true },
  );
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <ChoiceFilter
          name="instructor"
          label={words.say('filter.instructor')}
          any={words.say('any')}
          choices={(instructors.data?.results ?? []).map(({ id, name }) => [String(id), name])}
        />
        <ChoiceFilter
          name="status"
          label={words.say('filter.status')}
          any={words.say('any')}
          choices={NAMES.map((one) => [one, one === 'uncovered' ? words.say('status.uncovered') : ofPay.say(one)])}
        />
        <ClearFilters names={['instructor', 'status', 'period']} />
        <button type="button" className="second" onClick={() => setCalculating(true)}>
          {words.say('again')}
        </button>
      </div>
      <Listed list={list} none={words.say('sessions.none')} next={[]}>
        {(all) => <Items framed all={all} label={words.say('tab.sessions')} />}
      </Listed>
      {calculating ? <CalculateAgain onClose={() => setCalculating(false)} /> : null}
    </>
  );
}
