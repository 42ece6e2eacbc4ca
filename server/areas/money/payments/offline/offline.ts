import { TYPES, type ImmediateProcessor } from '../processor.ts';

/** Cash, a card terminal or a bank transfer: staff confirm that the money has been received. */
export const offline: ImmediateProcessor = {
  name: 'offline',
  type: TYPES.offline,
  description: 'Staff record what was paid in cash, at a card terminal, or by bank transfer.',
  immediate: true,
  settings: [
    {
      name: 'cash_drawer',
      description: '`yes` if it is cash in a drawer, which is counted. Add one of its own for each drawer.',
      secret: false,
      required: false,
      pattern: /^(yes|no)$/,
      hint: 'Must be yes or no.',
    },
  ],
  forTests: true,
};
