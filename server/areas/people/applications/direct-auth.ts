/**
 * Direct authentication: an application collects passwords itself. Off until the operator has read the reason, and
 * approved.
 */
import { action, one, OPERATOR, staffWith } from '../../../kernel/api/endpoint.ts';
import { application } from './application.ts';
import { approveDirectAuth, changeApplication, refuseDirectAuth, rotateSecret } from './writes.ts';
import { directAuthRefusal, type DirectAuthStatus, type Step } from './rules/direct-auth.ts';
import { overlap_hours } from './change-applications.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';

const request_direct_auth = action({
  path: '/applications/{id}/request_direct_auth',
  summary: 'Request direct authentication for an application',
  description:
    'Asks the operator to let the application take passwords. The use case says why logging in with consent is not enough. Until the operator decides, a new request replaces this one.',
  who: staffWith('super_admin'),
  target: application,
  body: { use_case: text({ min: 50, max: 5000 }) },
  returns: one(application),
  run: async ({ work, body, target }) => {
    if (target.is_assistant) throw new Problem('conflict', 'An assistant can’t take passwords.');
    checkStep('request', target.direct_auth_status);
    const values = {
      direct_auth_status: 'requested',
      direct_auth_use_case: body.use_case,
      direct_auth_reason: null,
      direct_auth_decided_at: null,
    };
    await changeApplication(work, target.id, values, ['direct_auth']);
    return target.id;
  },
});

const approve_direct_auth = action({
  path: '/applications/{id}/approve_direct_auth',
  summary: 'Approve direct authentication for an application',
  description: 'Lets the application take passwords. The response contains the `direct_auth_key`, only this once.',
  who: OPERATOR,
  target: application,
  returns: one(application),
  run: async ({ work, target }) => {
    checkStep('approve', target.direct_auth_status);
    await approveDirectAuth(work, target.id);
    return target.id;
  },
});

const refuse_direct_auth = action({
  path: '/applications/{id}/refuse_direct_auth',
  summary: 'Refuse or withdraw direct authentication for an application',
  description: 'If it is withdrawn, its key and every token that was issued with it end immediately.',
  who: OPERATOR,
  target: application,
  body: { reason: text({ max: 1000 }) },
  returns: one(application),
  run: async ({ work, body, target }) => {
    checkStep('refuse', target.direct_auth_status);
    await refuseDirectAuth(work, target.id, body.reason);
    return target.id;
  },
});

const rotate_direct_auth_key = action({
  path: '/applications/{id}/rotate_direct_auth_key',
  summary: 'Rotate the direct authentication key of an application',
  description:
    'The response contains it, only this once. The previous one still works for `overlap_hours`. Older ones end.',
  who: staffWith('super_admin'),
  target: application,
  body: { overlap_hours },
  returns: one(application),
  run: async ({ work, body, target }) => {
    checkStep('rotate', target.direct_auth_status);
    await rotateSecret(work, target.id, 'direct_auth', body.overlap_hours);
    return target.id;
  },
});

function checkStep(step: Step, status: DirectAuthStatus): void {
  const refusal = directAuthRefusal(step, status);
  if (refusal) throw new Problem('conflict', refusal);
}

export const directAuth = [request_direct_auth, approve_direct_auth, refuse_direct_auth, rotate_direct_auth_key];
