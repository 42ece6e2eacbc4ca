import { choice, EVERYONE, filter, get, list, listAndGet, type Who } from '../../../kernel/api/endpoint.ts';
import { id, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { ASKED_WHEN, policy, policyAgreement, policyVersion } from './policy.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { unagreedBy } from './missing.ts';

/** Staff, and customers for themselves and their family. */
export const whoAgrees: Who = { provider: true, customer: true, unregistered: false };

const ids = () => listOf(id(), { max: 100 });
const byId = { id: { by: (t: string) => raw(`${t}.id`) } };

export const findPolicies = [
  ...listAndGet(policy, {
    path: '/policies',
    summary: 'List policies',
    get: 'Get a policy',
    description: 'Customers and visitors see active ones.',
    who: EVERYONE,
    filters: {
      status: choice(oneOf(['active', 'archived']), {
        active: (t) => raw(`NOT ${t}.archived`),
        archived: (t) => raw(`${t}.archived`),
      }),
      when_required: choice(oneOf(ASKED_WHEN), {
        signup: (t) => raw(`${t}.at_signup`),
        purchase: (t) => raw(`${t}.at_purchase`),
      }),
      unagreed_by: filter(
        id().describe('Only policies in effect that this customer hasn’t agreed to, or has to agree to again.'),
        unagreedBy,
      ),
    },
    sort: byId,
    defaultSort: 'id',
  }),
  list(policyVersion, {
    path: '/policy_versions',
    summary: 'List versions of policies',
    who: EVERYONE,
    filters: { policy: filter(ids(), (t, policies) => sql`${raw(t)}.policy_id = ANY(${policies}::bigint[])`) },
    sort: { effective_at: { by: (t) => raw(`${t}.effective_at`) }, ...byId },
    defaultSort: '-effective_at',
  }),
  get(policyVersion, {
    path: '/policy_versions/{id}',
    summary: 'Get a version of a policy',
    who: EVERYONE,
  }),
  ...listAndGet(policyAgreement, {
    path: '/policy_agreements',
    summary: 'List agreements to policies',
    get: 'Get an agreement to a policy',
    who: whoAgrees,
    filters: {
      customer: filter(ids(), (t, customers) => sql`${raw(t)}.customer_id = ANY(${customers}::bigint[])`),
      policy: filter(ids(), (t, policies) => sql`${raw(t)}.policy_id = ANY(${policies}::bigint[])`),
    },
    sort: { agreed_at: { by: (t) => raw(`${t}.agreed_at`) } },
    defaultSort: '-agreed_at',
  }),
];
