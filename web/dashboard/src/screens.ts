/** The screens of the dashboard: address, permissions and keyboard shortcut of each. `screen-files.ts` loads them. */
import assistants from 'icon:bot';
import appointments from 'icon:calendar-check';
import calendar from 'icon:calendar-days';
import developers from 'icon:webhook';
import courses from 'icon:graduation-cap';
import counter from 'icon:shopping-cart';
import door from 'icon:door-open';
import hours from 'icon:calendar-clock';
import mine from 'icon:briefcase';
import imports from 'icon:file-up';
import memberships from 'icon:id-card';
import messages from 'icon:mail';
import pay from 'icon:hand-coins';
import people from 'icon:users';
import reports from 'icon:chart-column';
import sales from 'icon:receipt';
import settings from 'icon:settings';
import start from 'icon:list-checks';
import store from 'icon:store';
import today from 'icon:sun';
import workflows from 'icon:workflow';

/** The headings of the navigation, in order. */
export const GROUPS = ['selling', 'planning', 'telling', 'running'] as const;
export type ScreenGroup = (typeof GROUPS)[number];

export interface ScreenKind {
  /** below `/dashboard/{business}/`; parameters begin with `$` */
  readonly path: string;
  /** icon in the navigation; absent if the screen is reached from another screen */
  readonly icon?: string;
  /** heading in the navigation; absent: a screen for daily use, above all headings */
  readonly group?: ScreenGroup;
  /** shortcut after `g` */
  readonly key?: string;
  /** any of these permissions; empty: everybody who works here */
  readonly needs: readonly string[];
}

export const SCREENS = {
  today: { path: 'today', icon: today, key: 't', needs: [] },
  calendar: {
    path: 'calendar',
    icon: calendar,
    key: 'c',
    needs: ['manage_events', 'instructor_manage_events', 'attendances'],
  },
  door: {
    path: 'door',
    icon: door,
    key: 'd',
    needs: ['attendances', 'instructor_attendances', 'pos'],
  },
  roster: {
    path: 'door/$event',
    needs: ['attendances', 'instructor_attendances', 'pos'],
  },
  people: {
    path: 'people',
    icon: people,
    key: 'p',
    needs: ['customers', 'attendances', 'instructor_attendances', 'pos'],
  },
  person: {
    path: 'people/$customer',
    needs: ['customers', 'attendances', 'instructor_attendances', 'pos'],
  },
  counter: {
    path: 'counter',
    icon: counter,
    group: 'selling',
    key: 'k',
    needs: ['pos'],
  },
  sales: {
    path: 'sales',
    icon: sales,
    group: 'selling',
    key: 'i',
    needs: ['revenue', 'customer_payments', 'pos', 'store'],
  },
  invoice: {
    path: 'sales/$invoice',
    needs: ['pos', 'store'],
  },
  memberships: {
    path: 'memberships',
    icon: memberships,
    group: 'selling',
    key: 'm',
    needs: ['customers', 'discount_codes'],
  },
  store: {
    path: 'store',
    icon: store,
    group: 'selling',
    key: 'o',
    needs: ['store', 'pos'],
  },
  hours: {
    path: 'hours',
    icon: hours,
    group: 'planning',
    key: 'a',
    needs: ['manage_events'],
  },
  schedule: {
    path: 'hours/$schedule',
    needs: ['manage_events', 'instructor_manage_events', 'instructor_attendances'],
  },
  appointments: {
    path: 'appointments',
    icon: appointments,
    group: 'planning',
    key: 'b',
    needs: ['manage_events', 'attendances', 'pos'],
  },
  courses: {
    path: 'courses',
    icon: courses,
    group: 'planning',
    key: 'u',
    needs: ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances'],
  },
  course: {
    path: 'courses/$course',
    needs: ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances'],
  },
  dates: {
    path: 'courses/dates/$dates',
    needs: ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances'],
  },
  mine: {
    path: 'mine',
    icon: mine,
    group: 'planning',
    key: 'y',
    needs: ['instructor_manage_events', 'instructor_attendances'],
  },
  messages: {
    path: 'messages',
    icon: messages,
    group: 'telling',
    key: 'e',
    needs: ['super_admin'],
  },
  broadcast: {
    path: 'messages/$broadcast',
    needs: ['super_admin'],
  },
  workflows: {
    path: 'workflows',
    icon: workflows,
    group: 'telling',
    key: 'w',
    needs: ['super_admin'],
  },
  workflow: {
    path: 'workflows/$workflow',
    needs: ['super_admin'],
  },
  reports: {
    path: 'reports',
    icon: reports,
    group: 'running',
    key: 'r',
    needs: [
      'attendances',
      'customers',
      'customer_payments',
      'discount_codes',
      'manage_events',
      'pos',
      'revenue',
      'store',
    ],
  },
  report: {
    path: 'reports/$report',
    needs: [
      'attendances',
      'customers',
      'customer_payments',
      'discount_codes',
      'manage_events',
      'pos',
      'revenue',
      'store',
    ],
  },
  pay: {
    path: 'pay',
    icon: pay,
    group: 'running',
    key: 'l',
    needs: ['revenue'],
  },
  settings: {
    path: 'settings',
    icon: settings,
    group: 'running',
    key: 'x',
    needs: ['super_admin', 'manage_events', 'store', 'pos'],
  },
  setting: {
    path: 'settings/$part',
    needs: ['super_admin', 'manage_events', 'store', 'pos'],
  },
  developers: {
    path: 'developers',
    icon: developers,
    group: 'running',
    key: 'v',
    needs: ['developer'],
  },
  assistants: {
    path: 'assistants',
    icon: assistants,
    group: 'running',
    needs: ['super_admin'],
  },
  imports: {
    path: 'imports',
    icon: imports,
    group: 'running',
    needs: ['super_admin'],
  },
  import: {
    path: 'imports/$import',
    needs: ['super_admin'],
  },
  start: {
    path: 'start',
    icon: start,
    group: 'running',
    key: 's',
    needs: ['super_admin'],
  },
} as const satisfies Readonly<Record<string, ScreenKind>>;

export type ScreenName = keyof typeof SCREENS;
