/** Direct authentication: an application takes passwords itself. Off until the operator has read why, and approved. */
import { action, one, OPERATOR, staffWith } from '../../kernel/api/endpoint.ts';
import { application } from './application.ts';
import { approveDirectAuth, changeApplication, refuseDirectAuth, rotateSecret } from './writes.ts';
import { directAuthRefusal, type DirectAuthStatus, type Step } from './rules/direct-auth.ts';
import { overlap_hours } from './change-applications.ts';
import { Problem } from '../../kernel/api/problem.ts';
import { text } from '../../kernel/api/kinds.ts';

const request_direct_auth = action({
  path: '/applications/{id}/request_direct_auth',
  summary: 'Ask the operator to let the application take passwords',
  description: 'Says why a log-in with consent does not do. Until it is decided, another use case takes the place of this one.',
  who: staffWith('super_admin'),
  target: application,
  body: { use_case: text({ min: 50, max: 5000 }) },
  returns: one(application),
  run: async ({ work, body, target }) => {
    checkStep('request', target.direct_auth_status);
    const values = { direct_auth_status: 'requested', direct_auth_use_case: body.use_case, direct_auth_reason: null, direct_auth_decided_at: null };
    await changeApplication(work, target.id, values, ['direct_auth']);
    return target.id;
  },
});

const approve_direct_auth = action({
  path: '/applications/{id}/approve_direct_auth',
  summary: 'Let the application take passwords',
  description: 'The answer shows the `direct_auth_key`, and no other ever will.',
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
  summary: 'Refuse that the application takes passwords, or withdraw that it may',
  description: 'Withdrawn, its key and every token that was got with it end at once.',
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
  summary: 'Give the application a new direct authentication key',
  description: 'The answer shows it, and no other ever will. The one before goes on for `overlap_hours`; an older one ends.',
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

export function checkStep(step: Step, status: DirectAuthStatus): void {
  const refusal = directAuthRefusal(step, status);
  if (refusal) throw new Problem('conflict', refusal);
}

export const directAuth = [request_direct_auth, approve_direct_auth, refuse_direct_auth, rotate_direct_auth_key];
