import { defineProblems } from '../../../kernel/base/problem.ts';

export const CALENDAR_PROBLEMS = defineProblems({
  calendar_source_unavailable: {
    status: 409,
    type: 'conflict',
    means:
      'Calendars of this source can’t be connected by logging in: this installation has no credentials for it. Connect the calendar by its iCalendar address instead.',
  },
  calendar_read_only: {
    status: 409,
    type: 'conflict',
    means: 'Events can’t be written to a calendar that is read by its address. Subscribe to the calendar feed instead.',
  },
});
