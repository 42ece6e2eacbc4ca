import { machineToken, machineTokenCreated, machineTokenEndpoints, machineTokenRevoked } from './machine-token-endpoints.ts';
import type { Area } from '../../kernel/api/registry.ts';

export { createMachineToken, machineTokens, revokeMachineToken } from './machine-token.ts';
export { createOperatorToken, operatorTokens, revokeOperatorToken } from './operator-token.ts';
export { hashOf, isWellFormed, makeSecret, type OpaqueSecret } from './opaque-secret.ts';
export { lastUse } from './last-use.ts';
export { createUser } from './user.ts';

/** Who calls. */
export const identity: Area = {
  name: 'identity',
  description: 'Who calls: machine tokens and the accounts of people.',
  resources: [machineToken],
  endpoints: machineTokenEndpoints,
  feed: [machineTokenCreated, machineTokenRevoked],
};
