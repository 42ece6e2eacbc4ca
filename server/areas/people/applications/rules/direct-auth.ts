/** The steps of an application's request to collect passwords itself. Pure. */

export type DirectAuthStatus = 'none' | 'requested' | 'approved' | 'refused';
export type Step = 'request' | 'approve' | 'refuse' | 'rotate';

const REFUSALS: Record<Step, Partial<Record<DirectAuthStatus, string>>> = {
  request: { approved: 'Direct authentication is already approved.' },
  approve: {
    none: 'Nobody has requested direct authentication. The business must send its use case first.',
    approved: 'Direct authentication is already approved.',
  },
  refuse: { none: 'Nobody has requested direct authentication.', refused: 'Direct authentication is already refused.' },
  rotate: {
    none: 'Direct authentication is off. Request it with a use case first.',
    requested: 'Direct authentication is waiting for the operator to decide.',
    refused: 'Direct authentication was refused. Request it again with a different use case.',
  },
};

/** Returns why the step is not possible now; null if it is. */
export const directAuthRefusal = (step: Step, status: DirectAuthStatus): string | null =>
  REFUSALS[step][status] ?? null;
