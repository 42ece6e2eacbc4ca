/** What may become of the wish of an application to take passwords itself. Pure. */

export type DirectAuthStatus = 'none' | 'requested' | 'approved' | 'refused';
export type Step = 'request' | 'approve' | 'refuse' | 'rotate';

const REFUSALS: Record<Step, Partial<Record<DirectAuthStatus, string>>> = {
  request: { approved: 'Direct authentication is approved already.' },
  approve: { none: 'Nobody has asked for direct authentication: the business writes its use case first.', approved: 'Direct authentication is approved already.' },
  refuse: { none: 'Nobody has asked for direct authentication.', refused: 'Direct authentication is refused already.' },
  rotate: {
    none: 'Direct authentication is off: ask for it with its use case first.',
    requested: 'Direct authentication waits for the decision of the operator.',
    refused: 'Direct authentication was refused: ask for it again with another use case.',
  },
};

/** Why the step is not possible now; null: it is. */
export const directAuthRefusal = (step: Step, status: DirectAuthStatus): string | null => REFUSALS[step][status] ?? null;
