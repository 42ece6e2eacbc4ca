import { answer, read, staffWith } from '../../../../kernel/api/endpoint.ts';
import { cashSession } from './cash-session.ts';
import { expectedCash } from '../rules/count.ts';
import { listOf, money, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { said } from '../amounts.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';
import type { SessionRow } from './rows.ts';

/** The calculation of the expected amount of a drawer. */
export const explainSession = read({
  path: '/counter/cash_sessions/{id}/explain',
  summary: 'Explain what a cash session expects',
  description: 'Returns the amounts that what is expected consists of. The steps sum to it.',
  who: staffWith('revenue'),
  target: cashSession,
  returns: answer({
    steps: listOf(object({ name: text(), amount: money(), text: text() })),
    expected: money(),
    text: text(),
  }),
  run: async ({ work, target }) => {
    const row = target as SessionRow;
    const { currency } = work.tenant;
    const moved = {
      payment: row.payments_minor,
      refund: row.refunds_minor,
      paid_in: row.paid_in_minor,
      paid_out: row.paid_out_minor,
    };
    const steps: [string, number, string][] = [
      ['opening_float', row.opening_float_minor, 'In the drawer at the beginning'],
      ['payments', moved.payment, 'Paid in cash'],
      ['refunds', -moved.refund, 'Refunded in cash'],
      ['paid_in', moved.paid_in, 'Put in'],
      ['paid_out', -moved.paid_out, 'Taken out'],
    ];
    const expected = expectedCash(row.opening_float_minor, moved);
    const sum = steps.filter(([name, amount]) => amount !== 0 || name === 'opening_float');
    return {
      steps: steps.map(([name, minor, words]) => ({
        name,
        amount: wireMoney({ minor: minor + 0, currency }),
        text: words,
      })),
      expected: wireMoney({ minor: expected, currency }),
      text: `${sum
        .map(([, amount], n) => `${n === 0 ? '' : amount < 0 ? ' − ' : ' + '}${said(work, Math.abs(amount))}`)
        .join('')} = ${said(work, expected)}`,
    };
  },
});
