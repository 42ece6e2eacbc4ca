import { changeRequests } from './change.ts';
import { eventProperties, substituteRequest } from './substitute-request.ts';
import { FEED } from './feed.ts';
import { findRequests } from './find.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { settingsEndpoints } from './settings.ts';
import { SUBSTITUTE_NOTICES } from './notify.ts';
import { SUBSTITUTION_PROBLEMS } from './problems.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export const substitutions: Area = {
  name: 'substitutions',
  description: 'Instructors who can’t teach an event, and those who teach it instead.',
  tables: TABLES,
  resources: [substituteRequest],
  endpoints: [...findRequests, ...changeRequests, ...settingsEndpoints],
  properties: { event: eventProperties },
  problems: SUBSTITUTION_PROBLEMS,
  feed: FEED,
  staffNotices: Object.values(SUBSTITUTE_NOTICES),
  constraints: {
    substitute_request_one: () =>
      new Problem('already_exists', 'A substitute has already been asked for. Withdraw that request to ask again.'),
  },
};
