import { ASKED_WHEN, policy, policyAgreement, PURPOSES } from './policy.ts';
import { agree, publish, publishChange } from './writes.ts';
import { boolean, date, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { policyFeed } from './feed.ts';
import { translations } from './texts.ts';
import { whoAgrees } from './find-policies.ts';

const who = staffWith('super_admin');

const body = {
  name: text({ max: 100 }),
  purpose: oneOf(PURPOSES).optional(),
  when_required: listOf(oneOf(ASKED_WHEN), { max: ASKED_WHEN.length }).optional(),
};

const wording = {
  translations: translations(100_000).optional(),
  effective_on: date().optional().describe('The day on which the text takes effect. If left out, or in the past, now.'),
};
const words = text({ max: 100_000 }).describe('In the language of the business.');

const asked = (when: readonly string[] | undefined) =>
  when && { at_signup: when.includes('signup'), at_purchase: when.includes('purchase') };

export const changePolicies = [
  ...changes(policy, {
    path: '/policies',
    noun: 'policy',
    who,
    body: {
      ...body,
      status: oneOf(['active', 'archived']).optional(),
      text: words.optional(),
      ...wording,
      ask_again: boolean()
        .optional()
        .describe('Whether customers who agreed to an earlier text are asked again. If left out, they are.'),
    },
    first: { ...body, text: words, ...wording },
    create: {
      description: 'With its first version.',
      run: async ({ work, body: { name, purpose, when_required, ...first } }) => {
        const id = await insertRow(work, 'policy', { name, purpose, ...asked(when_required) });
        work.record(policyFeed.created, id, { policy: id });
        await publish(work, id, first);
        return id;
      },
    },
    update: {
      description:
        'Another text is published as a new version, which replaces the one in effect when its time comes. An archived policy is asked no more.',
      run: async ({ work, body: { name, purpose, status, when_required, ...sent }, target }) => {
        await updateRow(work, 'policy', target.id, {
          name,
          purpose,
          ...asked(when_required),
          archived: status && status === 'archived',
        });
        const changed = changedNames({ name, purpose, when_required, status, ask_again: sent.ask_again });
        if (changed.length > 0) work.record(policyFeed.updated, target.id, { policy: target.id, changed });
        await publishChange(work, target.id, sent);
      },
    },
  }),
  create(policyAgreement, {
    path: '/policy_agreements',
    summary: 'Agree to a policy',
    description:
      'Agreeing twice to the same version returns the first agreement. Staff record the agreement of a customer.',
    who: whoAgrees,
    body: {
      policy: ref('policy'),
      version: ref('policy_version').describe('The version that the customer read.'),
      customer: ref('customer').optional().describe('Customers who agree for themselves can leave it out.'),
    },
    problems: ['conflict'],
    run: ({ work, body: sent, ip }) => agree(work, sent, ip),
  }),
];
