import type { Area } from '../../kernel/api/registry.ts';

export { createMachineToken, machineTokens, revokeMachineToken } from './machine-token.ts';
export { createUser } from './user.ts';
export * from './outline.ts';
export type { AccountDoor, Whence } from './door.ts';

/** Who calls: machine tokens, and people with their accounts. */
export const identity: Area = { name: 'identity', description: 'Who calls: machine tokens and the accounts of people.' };
