/** Sources of calendars that can be connected, and advice for those that can't. */
import { Field } from '../../../../kernel/base/fields/field.ts';

interface LoginOnly {
  readonly name: string;
  /** place in the source's settings that shows the address to connect */
  readonly where: string;
}

/**
 * Connecting these by log-in would need something that an installation does not have, or the password of a whole
 * account.
 */
const NOT_BY_LOGIN = {
  GOOG: {
    name: 'Google',
    where:
      'In Google Calendar on a computer, open Settings, choose the calendar, and copy “Secret address in iCal format”.',
  },
  MSFT: {
    name: 'Microsoft',
    where: 'In Outlook, open Settings, Calendar, Shared calendars, publish the calendar, and copy the ICS link.',
  },
  CALDAV: {
    name: 'CalDAV servers',
    where:
      'Calendars with CalDAV show such an address too: in the sharing settings of the calendar, as a link that ends in .ics.',
  },
} as const satisfies Record<string, LoginOnly>;

/** Returns the text for people who want to log in: it says where they find the address that works. */
export const useAddress = (source: keyof typeof NOT_BY_LOGIN): string =>
  `This installation can’t log in to ${NOT_BY_LOGIN[source].name}. Connect the calendar by its secret iCalendar address with POST /external_calendars/accounts: calendar_source ICAL and the address as url. ${NOT_BY_LOGIN[source].where}`;

export const sourceField = (): Field<'ICAL'> =>
  new Field<'ICAL'>({
    schema: { type: 'string', enum: ['ICAL'] },
    read: (input, path, { issues }) => {
      if (input === 'ICAL') return input;
      const known = typeof input === 'string' && Object.hasOwn(NOT_BY_LOGIN, input);
      return issues.add(
        path,
        known
          ? useAddress(input as keyof typeof NOT_BY_LOGIN)
          : 'Must be ICAL. Any calendar that has an iCalendar address can be connected.',
      );
    },
  });
