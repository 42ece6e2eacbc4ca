/**
 * The file of each screen. Loaded while the shell reads the businesses of the person: the names of the files that all
 * screens need are long, and the shell is shown without them.
 */
import type { ComponentType } from 'react';
import type { ScreenName } from './screens.ts';

export interface ScreenModule {
  readonly Screen: ComponentType;
  /** its texts in the language of the user */
  readonly ready: Promise<void>;
}

export const SCREEN_FILES: Readonly<Record<ScreenName, () => Promise<ScreenModule>>> = {
  today: () => import('./screens/today/index.tsx'),
  calendar: () => import('./screens/calendar/index.tsx'),
  door: () => import('./screens/door/index.tsx'),
  roster: () => import('./screens/door/roster.tsx'),
  people: () => import('./screens/people/index.tsx'),
  person: () => import('./screens/people/person/index.tsx'),
  counter: () => import('./screens/counter/index.tsx'),
  sales: () => import('./screens/sales/index.tsx'),
  invoice: () => import('./screens/sales/invoice/index.tsx'),
  memberships: () => import('./screens/memberships/index.tsx'),
  store: () => import('./screens/store/index.tsx'),
  hours: () => import('./screens/hours/index.tsx'),
  schedule: () => import('./screens/hours/schedule.tsx'),
  appointments: () => import('./screens/appointments/index.tsx'),
  courses: () => import('./screens/courses/index.tsx'),
  course: () => import('./screens/courses/course.tsx'),
  dates: () => import('./screens/courses/dates.tsx'),
  mine: () => import('./screens/mine/index.tsx'),
  messages: () => import('./screens/messages/index.tsx'),
  broadcast: () => import('./screens/messages/broadcast.tsx'),
  workflows: () => import('./screens/workflows/index.tsx'),
  workflow: () => import('./screens/workflows/workflow.tsx'),
  reports: () => import('./screens/reports/index.tsx'),
  report: () => import('./screens/reports/report/index.tsx'),
  pay: () => import('./screens/pay/index.tsx'),
  settings: () => import('./screens/settings/index.tsx'),
  setting: () => import('./screens/settings/part.tsx'),
  developers: () => import('./screens/developers/index.tsx'),
  assistants: () => import('./screens/assistants/index.tsx'),
  imports: () => import('./screens/imports/index.tsx'),
  import: () => import('./screens/imports/one.tsx'),
  start: () => import('./screens/start/index.tsx'),
};
