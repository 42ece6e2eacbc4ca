import assert from 'node:assert/strict';
import { test } from 'node:test';
import { against, CANCEL_REASONS, earned } from './decide.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { describeReferral, type ReferralFacts } from './story.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const RULES = 'docs/algorithms/referrals.md';
const or = (text: string): number | null => (text === 'none' ? null : Number(text));
const minor = (text: string): number => parseDecimal(text, 'CAD')!;

test('the objections to a referral are those of the worked table', () => {
  for (const row of workedTable(RULES, 'Worked objections')) {
    const said = against({
      referrer: { id: Number(row.referrer), family: or(row["referrer's family"]), user: 5 },
      customer: {
        id: Number(row.customer),
        family: or(row["customer's family"]),
        user: row['same log-in'] === 'yes' ? 5 : null,
      },
      known: row.known === 'yes',
    });
    assert.equal(said ?? 'counts', row.outcome, JSON.stringify(row));
  }
});

test('the rewards of both are those of the worked table', () => {
  for (const row of workedTable(RULES, 'Worked rewards'))
    assert.deepEqual(
      earned(
        { referrer: minor(row.promised), customer: minor(row['to the new customer']) },
        { gone: row['referrer deleted'] === 'yes', rewards: Number(row.rewards), limit: or(row.limit) },
      ),
      {
        referrer: minor(row['referrer gets']),
        customer: minor(row['new customer gets']),
        withheld: row.withheld === 'no' ? null : row.withheld,
      },
      JSON.stringify(row),
    );
});

const told: ReferralFacts = {
  referrer: 'Ada',
  customer: 'Ben',
  signedUp: '1 May',
  ended: '3 May',
  status: 'pending',
  confirmsOn: 'first_visit',
  confirmedBy: null,
  cancelReason: null,
  withheld: null,
  promised: { referrer: null, customer: null },
  given: { referrer: null, customer: null },
  membership: false,
  discountCode: false,
};
const amounts = (text: string) => {
  const [referrer, customer] = text.split(' and ').map((one) => (one === 'nothing' ? null : `$${one}`));
  return { referrer, customer };
};

/** Parses the referral that a row names. */
function referralOf(name: string): ReferralFacts {
  const [first, ...rest] = name.split(', ');
  if (first === 'pending')
    return { ...told, confirmsOn: rest[0] as ReferralFacts['confirmsOn'], promised: amounts(rest[1]) };
  if (first === 'cancelled')
    return { ...told, status: 'cancelled', cancelReason: rest[0] as ReferralFacts['cancelReason'] };
  const confirmedBy = first.replace('confirmed by ', '') as ReferralFacts['confirmedBy'];
  const withheld = rest[0] === 'limit' ? 'limit' : null;
  return {
    ...told,
    status: 'confirmed',
    confirmedBy,
    withheld,
    given: withheld === null ? amounts(rest[0]) : told.given,
  };
}

test('the text about a referral is that of the worked stories', () => {
  for (const { referral, sentence } of workedTable(RULES, 'Worked stories')) {
    const [first, ...rest] = describeReferral(referralOf(referral));
    assert.equal(first, 'Ben signed up with the code of Ada on 1 May.');
    assert.equal(rest.join(' '), sentence, referral);
  }
});

test('every reason for a cancellation and every reward has a text', () => {
  for (const cancelReason of CANCEL_REASONS)
    assert.match(
      describeReferral({ ...told, status: 'cancelled', cancelReason }).join(' '),
      /cancelled on 3 May\. \w.*\.$/,
    );
  assert.deepEqual(describeReferral({ ...told, membership: true, discountCode: true }).slice(1, 3), [
    'Ben got a free membership.',
    'Ben got a discount code.',
  ]);
  const deleted = describeReferral({
    ...told,
    status: 'confirmed',
    confirmedBy: 'first_purchase',
    withheld: 'deleted',
  });
  assert.match(
    deleted.join(' '),
    /paid for something for the first time\. Ada got nothing for it, because their record/,
  );
});
