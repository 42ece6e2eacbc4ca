import { blockOfCustomer, registrationBlock } from './blocks/registration-block.ts';
import { changeBlocks } from './blocks/change-blocks.ts';
import { customerIssue, issuesOfCustomer } from './issues/customer-issue.ts';
import { customerIssueFeed, registrationBlockFeed } from './feed.ts';
import { findBlocks } from './blocks/find-blocks.ts';
import { issues } from './issues/issues.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

/** Blocks are read by the rules of booking, and issues by people: see the README. */
export const accountStatus: Area = {
  name: 'account_status',
  description: 'Whether customers can book, and matters about them that staff keep an eye on.',
  tables: TABLES,
  resources: [registrationBlock],
  endpoints: [...findBlocks, ...changeBlocks],
  topics: [
    {
      name: 'customer_issues',
      description: 'Matters about customers that staff keep an eye on.',
      resources: [customerIssue],
      endpoints: issues,
    },
  ],
  properties: {
    customer: {
      fields: { ...blockOfCustomer.fields, ...issuesOfCustomer.fields },
      shown: { ...issuesOfCustomer.shown },
    },
  },
  feed: [registrationBlockFeed, customerIssueFeed],
};
