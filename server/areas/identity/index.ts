import type { Area } from '../../kernel/api/registry.ts';

export { createMachineToken, machineTokens, revokeMachineToken } from './machine-token.ts';
export { createUser } from './user.ts';

/** Who calls. Machine tokens so far; people logging in get their place here. */
export const identity: Area = { name: 'identity', description: 'Who calls: machine tokens and the accounts of people.' };
