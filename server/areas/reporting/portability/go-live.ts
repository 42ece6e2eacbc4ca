/** The change of a test business to a live one: from then on it takes money and writes to people. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { CLOCK_PROBLEMS, goLive as makeLive, lockBusiness } from '../../platform/providers/index.ts';
import { disableSandboxes } from '../../money/payments/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { pathId } from '../../../kernel/api/requests/input.ts';

export const goLive = action({
  path: '/providers/{id}/go_live',
  summary: 'Make a test business live',
  description:
    'From then on, the business can take real money, and emails and text messages are sent. Everything in it stays, also what was tried out; its payment processors of the kind `sandbox` are turned off. Refused if the clock of the business was ever advanced, because its time can’t go back: delete the business, and create another one. A live business never becomes a test business again.',
  who: staffWith('super_admin'),
  returns: answer({
    provider: id(),
    is_test: boolean(),
    disabled_payment_processors: listOf(id()).describe('Ids of the payment processors that were turned off.'),
  }),
  problems: [...Object.values(CLOCK_PROBLEMS), 'conflict'],
  run: async ({ work, params }) => {
    const { providerId } = work;
    if (pathId(params.id) !== providerId) throw notFound();
    await lockBusiness(work);
    await makeLive(work);
    work.effect('went_live', 'provider', providerId);
    const disabled = await disableSandboxes(work);
    for (const one of disabled) work.effect('disabled', 'payment_processor', one);
    return { provider: providerId, is_test: false, disabled_payment_processors: disabled };
  },
});
