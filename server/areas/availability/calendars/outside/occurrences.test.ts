import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { occurrences, parseRecurrence } from '../../../../kernel/base/values/recurrence.ts';
import { readApart } from './read.ts';
import { readCalendar } from './occurrences.ts';
import { Unreadable } from './outside-calendar.ts';

const ZONE = 'America/Toronto';
const FROM = Date.parse('2026-01-01T00:00:00Z');
const TO = Date.parse('2028-12-31T00:00:00Z');

const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A calendar//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]): string[] => [
  'BEGIN:VEVENT',
  'UID:a@example.com',
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VEVENT',
];

const read = (text: string, { zone = ZONE, from = FROM, to = TO } = {}) => readCalendar({ text, zone, from, to });
const utc = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 16);
const times = (text: string, over = {}): string[] =>
  read(text, over).events.map((e) => `${utc(e.startsAt)}/${utc(e.endsAt)}`);

test('an event is in its own zone, even if the calendar does not include the rules of the zone', () => {
  assert.deepEqual(
    times(calendar(...event('DTSTART;TZID=Europe/Berlin:20260720T090000', 'DTEND;TZID=Europe/Berlin:20260720T103000'))),
    ['2026-07-20T07:00/2026-07-20T08:30'],
  );
  assert.deepEqual(times(calendar(...event('DTSTART:20260720T090000Z', 'DURATION:PT45M'))), [
    '2026-07-20T09:00/2026-07-20T09:45',
  ]);
});

const OWN_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Customized Time Zone',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

test('a zone that only the calendar defines is read from the included rules', () => {
  assert.deepEqual(
    times(
      calendar(
        ...OWN_ZONE,
        ...event(
          'DTSTART;TZID=Customized Time Zone:20261018T090000',
          'DTEND;TZID=Customized Time Zone:20261018T100000',
          'RRULE:FREQ=WEEKLY;COUNT=3',
          'EXDATE;TZID=Customized Time Zone:20261101T090000',
        ),
      ),
    ),
    ['2026-10-18T07:00/2026-10-18T08:00', '2026-10-25T08:00/2026-10-25T09:00'],
  );
});

const weekly = (start: string) =>
  times(
    calendar(
      ...event(
        `DTSTART;TZID=Europe/Berlin:${start}T020000`,
        `DTEND;TZID=Europe/Berlin:${start}T040000`,
        'RRULE:FREQ=WEEKLY;COUNT=3',
      ),
    ),
  );

test('a weekly event keeps its wall time across both clock changes', () => {
  // 02:00 does not exist on 29 March: it becomes 03:00. On 25 October, 02:00 occurs twice, and the earlier one is
  // meant.
  assert.deepEqual(weekly('20260322'), [
    '2026-03-22T01:00/2026-03-22T03:00',
    '2026-03-29T01:00/2026-03-29T03:00',
    '2026-04-05T00:00/2026-04-05T02:00',
  ]);
  assert.deepEqual(weekly('20261018'), [
    '2026-10-18T00:00/2026-10-18T02:00',
    '2026-10-25T00:00/2026-10-25T02:00',
    '2026-11-01T01:00/2026-11-01T03:00',
  ]);
});

const wholeDays = (from: string, to: string, ...head: string[]) =>
  times(calendar(...head, ...event(`DTSTART;VALUE=DATE:${from}`, `DTEND;VALUE=DATE:${to}`)));

test('a whole day is a day in the zone of the calendar, even if it has 23 or 25 hours', () => {
  assert.deepEqual(wholeDays('20260329', '20260330', 'X-WR-TIMEZONE:Europe/Berlin'), [
    '2026-03-28T23:00/2026-03-29T22:00',
  ]);
  assert.deepEqual(wholeDays('20261025', '20261026', 'X-WR-TIMEZONE:Europe/Berlin'), [
    '2026-10-24T22:00/2026-10-25T23:00',
  ]);
  // Without a zone of the calendar, it is a day in the zone of the business.
  assert.deepEqual(wholeDays('20260720', '20260722'), ['2026-07-20T04:00/2026-07-22T04:00']);
});

test('a day without an end lasts a day, and a time without an end has no duration', () => {
  assert.deepEqual(times(calendar(...event('DTSTART;VALUE=DATE:20260720'))), ['2026-07-20T04:00/2026-07-21T04:00']);
  assert.deepEqual(times(calendar(...event('DTSTART:20260720T090000Z'))), []);
});

test('a time without a zone is in the zone of the calendar, or else of the business', () => {
  const floating = event('DTSTART:20260720T090000', 'DTEND:20260720T100000');
  assert.deepEqual(times(calendar(...floating)), ['2026-07-20T13:00/2026-07-20T14:00']);
  assert.deepEqual(times(calendar('X-WR-TIMEZONE:Asia/Tokyo', ...floating)), ['2026-07-20T00:00/2026-07-20T01:00']);
});

test('an event that repeats on 29 February takes place in leap years only', () => {
  assert.deepEqual(times(calendar(...event('DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY'))), [
    '2028-02-29T05:00/2028-03-01T05:00',
  ]);
  assert.deepEqual(
    times(calendar(...event('DTSTART:20240229T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'))),
    ['2026-02-28T10:00/2026-02-28T11:00', '2027-02-28T10:00/2027-02-28T11:00', '2028-02-29T10:00/2028-02-29T11:00'],
  );
});

const timesUntil = (text: string) =>
  times(
    calendar(
      ...event(
        'DTSTART;TZID=Europe/Berlin:20260701T003000',
        'DTEND;TZID=Europe/Berlin:20260701T010000',
        `RRULE:FREQ=DAILY;UNTIL=${text}`,
      ),
    ),
  ).length;

test('the last time of a rule is included, in whatever zone its end is written', () => {
  assert.equal(timesUntil('20260702T223000Z'), 3);
  assert.equal(timesUntil('20260702T222959Z'), 2);
});

test('excluded, moved and cancelled times are missing, and added times are included', () => {
  const text = calendar(
    ...event(
      'DTSTART;TZID=Europe/Berlin:20260706T090000',
      'DTEND;TZID=Europe/Berlin:20260706T100000',
      'RRULE:FREQ=DAILY;COUNT=5',
      'RDATE;TZID=Europe/Berlin:20260720T120000',
      // Written in UTC, unlike the event.
      'EXDATE:20260707T070000Z',
    ),
    ...event(
      'RECURRENCE-ID:20260708T070000Z',
      'DTSTART;TZID=Europe/Berlin:20260708T150000',
      'DTEND;TZID=Europe/Berlin:20260708T170000',
      'SEQUENCE:2',
    ),
    ...event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20260709T090000',
      'DTSTART;TZID=Europe/Berlin:20260709T090000',
      'DTEND;TZID=Europe/Berlin:20260709T100000',
      'STATUS:CANCELLED',
    ),
  );
  const { events } = read(text);
  assert.deepEqual(events.map((e) => [utc(e.startsAt), utc(e.endsAt), e.busy, e.status]).toSorted(), [
    ['2026-07-06T07:00', '2026-07-06T08:00', true, 'CONF'],
    ['2026-07-08T13:00', '2026-07-08T15:00', true, 'CONF'],
    ['2026-07-09T07:00', '2026-07-09T08:00', false, 'CANC'],
    ['2026-07-10T07:00', '2026-07-10T08:00', true, 'CONF'],
    ['2026-07-20T10:00', '2026-07-20T11:00', true, 'CONF'],
  ]);
  assert.equal(new Set(events.map((e) => e.id)).size, 5);
});

test('a change from one time onward applies to all later times', () => {
  const text = calendar(
    ...event('DTSTART:20260706T090000Z', 'DTEND:20260706T100000Z', 'RRULE:FREQ=DAILY;COUNT=4'),
    ...event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260708T090000Z',
      'DTSTART:20260708T110000Z',
      'DTEND:20260708T113000Z',
    ),
  );
  assert.deepEqual(times(text).toSorted(), [
    '2026-07-06T09:00/2026-07-06T10:00',
    '2026-07-07T09:00/2026-07-07T10:00',
    '2026-07-08T11:00/2026-07-08T11:30',
    '2026-07-09T11:00/2026-07-09T11:30',
  ]);
});

const isBusy = (...lines: string[]) =>
  read(calendar(...event('DTSTART:20260720T090000Z', 'DURATION:PT1H', ...lines))).events[0].busy;

test('events that are shown as free, or cancelled, are not busy', () => {
  assert.deepEqual(
    [
      isBusy(),
      isBusy('TRANSP:OPAQUE'),
      isBusy('STATUS:TENTATIVE'),
      isBusy('TRANSP:TRANSPARENT'),
      isBusy('STATUS:CANCELLED'),
      isBusy('X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
    ],
    [true, true, true, false, false, false],
  );
});

test('only events that overlap the window are read, and nothing is repeated beyond it', () => {
  const daily = calendar(...event('DTSTART:19900101T230000Z', 'DURATION:PT2H', 'RRULE:FREQ=DAILY'));
  const window = { from: Date.parse('2026-07-01T00:00:00Z'), to: Date.parse('2026-07-03T00:00:00Z') };
  assert.deepEqual(times(daily, window), [
    '2026-06-30T23:00/2026-07-01T01:00',
    '2026-07-01T23:00/2026-07-02T01:00',
    '2026-07-02T23:00/2026-07-03T01:00',
  ]);
});

test('name, zone, title, place and privacy are taken from the calendar', () => {
  const found = read(
    calendar(
      'X-WR-CALNAME:Kim\\, private',
      'X-WR-TIMEZONE:Europe/Berlin',
      ...event(
        'DTSTART;TZID=/example.org/20260101_1/Europe/Vienna:20260720T090000',
        'DURATION:PT1H',
        'SUMMARY:Dentist\\, then',
        '  lunch',
        'LOCATION:Main Street 1\\; door 2',
        'CLASS:PRIVATE',
        'CREATED:20260102T030405Z',
      ),
    ),
  );
  assert.deepEqual([found.name, found.timezone], ['Kim, private', 'Europe/Berlin']);
  const [{ title, location, visibility, timezone, createdAt, updatedAt }] = found.events;
  assert.deepEqual(
    [title, location, visibility, timezone, createdAt, updatedAt],
    ['Dentist, then lunch', 'Main Street 1; door 2', 'PRIV', 'Europe/Vienna', Date.parse('2026-01-02T03:04:05Z'), null],
  );
});

const refusalOf = (text: string) => {
  try {
    return read(text).events.length;
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error));
    return error.message;
  }
};

// Guards against: A calendar from outside that attacks whoever reads it, or leads into the internal network
test('a text that is no calendar, or was truncated, is refused with an explanation', () => {
  assert.match(String(refusalOf('<html>Log in</html>')), /doesn’t return a calendar/);
  assert.match(String(refusalOf('')), /doesn’t return a calendar/);
  assert.match(String(refusalOf(calendar(...event('DTSTART:20260720T090000Z')).slice(0, -20))), /Only a part/);
  assert.equal(refusalOf(calendar()), 0);
});

const HOUR = ['DTSTART:20270301T090000Z', 'DTEND:20270301T100000Z', 'SUMMARY:Rowing'];
/** A valid entry, which is always included. */
const good = [
  'BEGIN:VEVENT',
  'UID:good@example.com',
  'DTSTART:20270302T090000Z',
  'DTEND:20270302T100000Z',
  'END:VEVENT',
];
const GOOD = '2027-03-02T09:00/2027-03-02T10:00';

const mistakes: [string, string[], string[], RegExp][] = [
  [
    'a weekday that is written out',
    [...HOUR, 'RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=MONDAY'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2027-03-08T09:00/2027-03-08T10:00'],
    /^“Rowing” of 2027-03-01: its repetition/,
  ],
  [
    'a part of a rule that is none',
    [...HOUR, 'RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=SOMEDAY'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2027-03-08T09:00/2027-03-08T10:00'],
    /BYDAY=SOMEDAY/,
  ],
  [
    'a rule that is none',
    [...HOUR, 'RRULE:FREQ=FORTNIGHTLY'],
    ['2027-03-01T09:00/2027-03-01T10:00'],
    /repetition can’t/,
  ],
  [
    'an end of a rule that is none',
    [...HOUR, 'RRULE:FREQ=YEARLY;UNTIL=soon'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2028-03-01T09:00/2028-03-01T10:00'],
    /UNTIL=SOON/,
  ],
  [
    'a number of times that is none',
    [...HOUR, 'RRULE:FREQ=YEARLY;COUNT=0'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2028-03-01T09:00/2028-03-01T10:00'],
    /left out: COUNT=0/,
  ],
  [
    'a step that is none',
    [...HOUR, 'RRULE:FREQ=WEEKLY;INTERVAL=-1;COUNT=2'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2027-03-08T09:00/2027-03-08T10:00'],
    /left out: INTERVAL=-1/,
  ],
  [
    'months of another calendar',
    [...HOUR, 'RRULE:RSCALE=HEBREW;FREQ=YEARLY'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2028-03-01T09:00/2028-03-01T10:00'],
    /left out: RSCALE=HEBREW/,
  ],
  ['an empty rule', [...HOUR, 'RRULE:'], ['2027-03-01T09:00/2027-03-01T10:00'], /repetition is empty/],
  [
    'a second line of a description that is not folded',
    [...HOUR, 'DESCRIPTION:First', 'and second line', 'LOCATION:Dock'],
    ['2027-03-01T09:00/2027-03-01T10:00'],
    /line that belongs to nothing/,
  ],
  [
    'a date that is taken out without saying that it is one',
    [...HOUR, 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270308'],
    ['2027-03-01T09:00/2027-03-01T10:00', '2027-03-15T09:00/2027-03-15T10:00'],
    /read as the whole day/,
  ],
  [
    'no date that is taken out',
    [...HOUR, 'RRULE:FREQ=WEEKLY;COUNT=2', 'EXDATE:', 'EXDATE:20270308T090000Z,never'],
    ['2027-03-01T09:00/2027-03-01T10:00'],
    /taken out of its repetition can’t be read/,
  ],
  ['an empty RECURRENCE-ID', [...HOUR, 'RECURRENCE-ID:'], ['2027-03-01T09:00/2027-03-01T10:00'], /entry of its own/],
  ['a start that is none', ['DTSTART:00000000T000000Z', 'DURATION:PT1H', 'SUMMARY:Rowing'], [], /“Rowing”: its start/],
  ['a day that is none', ['DTSTART;VALUE=DATE:20270231', 'SUMMARY:Rowing'], [], /its start can’t be read/],
  ['a length that is none', ['DTSTART:20270301T090000Z', 'DURATION:1H', 'SUMMARY:Rowing'], [], /how long it takes/],
  [
    'no end of the entry before',
    ['DTSTART:20270301T080000Z', 'DURATION:PT1H', 'BEGIN:VEVENT', 'UID:b', ...HOUR, 'RRULE:'],
    ['2027-03-01T08:00/2027-03-01T09:00', '2027-03-01T09:00/2027-03-01T10:00'],
    /repetition is empty/,
  ],
  [
    'a repetition every minute for ever',
    ['DTSTART:20260301T090000Z', 'DURATION:PT30S', 'RRULE:FREQ=MINUTELY', 'SUMMARY:Rowing'],
    [],
    /“Rowing”: it repeats too often to be read, and was left out/,
  ],
];

for (const [name, lines, found, warning] of mistakes)
  test(`a calendar is read although one entry has ${name}, which is named`, () => {
    const { events, warnings } = read(calendar(...event(...lines), ...good));
    assert.deepEqual(events.map((e) => `${utc(e.startsAt)}/${utc(e.endsAt)}`).toSorted(), [...found, GOOD].toSorted());
    assert.match(warnings.join('\n'), warning);
  });

const withoutUid = (hour: number): string[] => [
  'BEGIN:VEVENT',
  `DTSTART:20270301T${hour}0000Z`,
  'DURATION:PT1H',
  'END:VEVENT',
];
const sameUid = (hour: number, ...more: string[]) => event(`DTSTART:20270301T${hour}0000Z`, 'DURATION:PT1H', ...more);

test('entries without a UID, or with the same one, each count', () => {
  const apart = ['2027-03-01T10:00/2027-03-01T11:00', '2027-03-01T12:00/2027-03-01T13:00'];
  assert.deepEqual(times(calendar(...withoutUid(10), ...withoutUid(12))), apart);
  const { events, warnings } = read(calendar(...sameUid(10), ...sameUid(12)));
  assert.deepEqual(
    [times(calendar(...sameUid(10), ...sameUid(12))), new Set(events.map(({ id }) => id)).size],
    [apart, 2],
  );
  assert.match(warnings[0], /2 entries have the same UID/);
  // A later version of an entry replaces it.
  assert.deepEqual(times(calendar(...sameUid(10), ...sameUid(12, 'SEQUENCE:1'))), apart.slice(1));
  assert.deepEqual(times(calendar(...sameUid(10), ...sameUid(10))), apart.slice(0, 1));
});

test('rules of a zone that would never end are left out', () => {
  const rule = 'RRULE:FREQ=SECONDLY';
  const part = (name: string): string[] => [
    `BEGIN:${name}`,
    'DTSTART:19700101T000000',
    rule,
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0200',
    `END:${name}`,
  ];
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Own', ...part('STANDARD'), ...part('DAYLIGHT'), 'END:VTIMEZONE'];
  const own = event('DTSTART;TZID=Own:20270301T120000', 'DURATION:PT1H');
  assert.deepEqual(times(calendar(...zone, ...own)), ['2027-03-01T10:00/2027-03-01T11:00']);
});

test('a calendar without mistakes has no warnings', () => {
  const whole = event(
    'DTSTART;TZID="Europe/Berlin":20270301T090000',
    'DTEND;TZID=Europe/Berlin:20270301T100000',
    'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO',
    'EXDATE;VALUE=DATE:20270308',
    'DESCRIPTION:One\\nline\\, that is folded',
    '  here',
    'ATTENDEE;CN="Kim: the first";ROLE=CHAIR:mailto:kim@example.com',
    'X-ALT-DESC;FMTTYPE=text/html:<p>Two</p>',
    'BEGIN:VALARM',
    'TRIGGER:-PT15M',
    'ACTION:DISPLAY',
    'END:VALARM',
  );
  const { events, warnings } = read(calendar(...OWN_ZONE, ...whole, ...good));
  assert.deepEqual([events.length, warnings], [3, []]);
});

test('an event of an hour that repeats every hour forever is one continuous busy time', () => {
  const window = { from: Date.parse('2027-03-01T00:00:00Z'), to: Date.parse('2028-03-01T00:00:00Z') };
  const { events, warnings } = read(
    calendar(...event('DTSTART:20270101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY', 'SUMMARY:Watch'), ...good),
    window,
  );
  assert.deepEqual(events.map((e) => `${utc(e.startsAt)}/${utc(e.endsAt)}`).toSorted(), [
    '2027-03-01T00:00/2028-03-01T00:00',
    GOOD,
  ]);
  assert.match(warnings[0], /“Watch”: .* put together/);
});

// Guards against: A calendar from outside that attacks whoever reads it, or leads into the internal network
test('only the first 5000 events are read', () => {
  const many = ['a', 'b', 'c'].flatMap((uid) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTART:20260101T000000Z',
    'DURATION:PT1M',
    'RRULE:FREQ=HOURLY;COUNT=2000',
    'END:VEVENT',
  ]);
  const { events, warnings } = read(calendar(...many));
  assert.equal(events.length, 5000);
  assert.match(warnings[0], /more than 5000 events/);
});

test('times that the database can’t store are left out, and ends that are too far away are cut off', () => {
  const [one] = read(
    calendar(
      ...event('DTSTART:20270301T090000Z', 'DURATION:P99999999D', 'CREATED:00001231T000000Z', 'LAST-MODIFIED:nonsense'),
    ),
  ).events;
  assert.deepEqual([one.createdAt, one.updatedAt, utc(one.endsAt)], [null, null, '9999-12-30T00:00']);
});

const nine = (tzid: string, ...head: string[]) =>
  read(calendar(...head, ...event(`DTSTART;TZID=${tzid}:20270720T090000`, 'DURATION:PT1H')));

test('zones are recognized by their Windows names', () => {
  const names: [string, string][] = [
    ['W. Europe Standard Time', '07:00'],
    ['"w. europe standard time"', '07:00'],
    ['Tokyo Standard Time', '00:00'],
    ['Eastern Standard Time', '13:00'],
    ['India Standard Time', '03:30'],
    ['Newfoundland Standard Time', '11:30'],
    ['E. South America Standard Time', '12:00'],
    ['UTC-11', '20:00'],
  ];
  for (const [name, time] of names) {
    const { events, warnings } = nine(name);
    assert.deepEqual([utc(events[0].startsAt).slice(11), warnings], [time, []], name);
  }
  const floating = event('DTSTART:20270720T090000', 'DURATION:PT1H');
  const found = read(calendar('X-WR-TIMEZONE:Tokyo Standard Time', ...floating));
  assert.deepEqual(
    [found.timezone, utc(found.events[0].startsAt), found.warnings],
    ['Asia/Tokyo', '2027-07-20T00:00', []],
  );
});

test('a warning names an unknown zone, and the zone in which its times are read', () => {
  assert.deepEqual(nine('Moon Standard Time').warnings, [
    'Nobody knows the time zone “Moon Standard Time”. Its times are read by the clock of America/Toronto.',
  ]);
  assert.match(read(calendar('X-WR-TIMEZONE:Moon', ...good)).warnings[0], /“Moon”.* clock of America\/Toronto/);
});

test('the rules included in a calendar apply to every zone name except a region and city', () => {
  // Two hours ahead of UTC in summer, as EST never is.
  for (const name of ['EST', 'W. Europe Standard Time', 'GMT', 'Customized Time Zone']) {
    const zone = OWN_ZONE.map((line) => (line.startsWith('TZID') ? `TZID:${name}` : line));
    assert.equal(utc(nine(name, ...zone).events[0].startsAt), '2027-07-20T07:00', name);
  }
  const toronto = OWN_ZONE.map((line) => (line.startsWith('TZID') ? 'TZID:America/Toronto' : line));
  assert.equal(utc(nine('America/Toronto', ...toronto).events[0].startsAt), '2027-07-20T13:00');
  assert.equal(utc(nine('EST', 'BEGIN:VTIMEZONE', 'TZID:EST', 'END:VTIMEZONE').events[0].startsAt), '2027-07-20T14:00');
});

const moved = (dates: string, id: string, ...to: string[]) =>
  times(calendar(...event(dates, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'), ...event(id, ...to)));

test('a moved time is busy once, whether its original time is written as a day or as a time', () => {
  const timed = 'DTSTART;TZID=Europe/Berlin:20270301T180000';
  const to = ['DTSTART;TZID=Europe/Berlin:20270309T100000', 'DURATION:PT2H'];
  assert.deepEqual(moved(timed, 'RECURRENCE-ID;VALUE=DATE:20270308', ...to), [
    '2027-03-01T17:00/2027-03-01T18:00',
    '2027-03-15T17:00/2027-03-15T18:00',
    '2027-03-09T09:00/2027-03-09T11:00',
  ]);
  const onward = moved(timed, 'RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20270308', ...to);
  assert.deepEqual(onward.slice(1), ['2027-03-16T09:00/2027-03-16T11:00', '2027-03-09T09:00/2027-03-09T11:00']);
  for (const written of ['RECURRENCE-ID:20270308T000000Z', 'RECURRENCE-ID;TZID=America/Toronto:20270308T000000'])
    assert.deepEqual(
      times(
        calendar(
          ...event('DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=2'),
          ...event(written, 'DTSTART;VALUE=DATE:20270310'),
        ),
      ),
      ['2027-03-01T05:00/2027-03-02T05:00', '2027-03-10T05:00/2027-03-11T05:00'],
    );
});

const left = (exdate: string) =>
  times(calendar(...event('DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=2', exdate))).length;

test('a whole day is excluded, even if the exclusion is written as a time', () => {
  assert.deepEqual(
    [left('EXDATE;VALUE=DATE:20270308'), left('EXDATE:20270308T000000Z'), left('EXDATE:20270308T000000')],
    [1, 1, 1],
  );
});

const added = (rdate: string) =>
  times(calendar(...event('DTSTART;TZID=Europe/Berlin:20270301T180000', 'DURATION:PT1H', rdate))).slice(1);

test('an added time has its own length and zone', () => {
  assert.deepEqual(added('RDATE;VALUE=PERIOD:20270310T090000Z/PT3H'), ['2027-03-10T09:00/2027-03-10T12:00']);
  assert.deepEqual(added('RDATE;VALUE=PERIOD;TZID=Asia/Tokyo:20270310T090000/20270310T110000'), [
    '2027-03-10T00:00/2027-03-10T02:00',
  ]);
  assert.deepEqual(added('RDATE;TZID=Asia/Tokyo:20270310T090000'), ['2027-03-10T00:00/2027-03-10T01:00']);
});

const datesOf = (text: string) =>
  times(calendar(...event('DTSTART;VALUE=DATE:20260101', `RRULE:${text}`))).map((t) => t.slice(0, 10));

test('a day that exists in no month never occurs', () => {
  assert.deepEqual(datesOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), ['2026-01-01']);
  assert.deepEqual(datesOf('FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4'), [
    '2026-01-01',
    '2026-01-31',
    '2026-03-31',
    '2026-05-31',
    '2026-07-31',
  ]);
});

// Guards against: A calendar from outside that attacks whoever reads it, or leads into the internal network
test('reading is limited in time, and blocks nothing else', async () => {
  const asked = {
    text: calendar(...event('DTSTART:20260720T090000Z', 'DURATION:PT1H')),
    zone: ZONE,
    from: FROM,
    to: TO,
  };
  const [bad, good] = await Promise.allSettled([readApart(asked, { withinMs: 1 }), readApart(asked)]);
  assert.ok(bad.status === 'rejected' && bad.reason instanceof Unreadable && /too long/.test(bad.reason.message));
  assert.equal(good.status === 'fulfilled' && good.value.events.length, 1);
});

const RULES = fc
  .record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 4 }),
    count: fc.option(fc.integer({ min: 1, max: 30 })),
    days: fc.option(
      fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { minLength: 1, maxLength: 3 }),
    ),
    ordinal: fc.option(fc.constantFrom(1, 2, -1)),
    monthDays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 2 })),
    month: fc.option(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ freq, interval, count, days, ordinal, monthDays, month }) => {
    const monthly = freq === 'MONTHLY' || freq === 'YEARLY';
    return [
      `FREQ=${freq}`,
      `INTERVAL=${interval}`,
      ...(count === null ? [] : [`COUNT=${count}`]),
      ...(freq === 'WEEKLY' && days ? [`BYDAY=${days.join()}`] : []),
      ...(freq === 'MONTHLY' && days && !monthDays ? [`BYDAY=${days.map((d) => `${ordinal ?? ''}${d}`).join()}`] : []),
      ...(monthly && monthDays ? [`BYMONTHDAY=${monthDays.join()}`] : []),
      ...(freq === 'YEARLY' && month ? [`BYMONTH=${month}`] : []),
    ].join(';');
  });

test('rules are read in the same way as those of the business’s own recurring events', () => {
  const day = fc.integer({ min: 0, max: 1500 });
  fc.assert(
    fc.property(RULES, day, (text, n) => {
      const startWall = new Date(Date.UTC(2024, 0, 1 + n, 9)).toISOString().slice(0, 19);
      const start = startWall.replaceAll(/[-:]/g, '');
      const to = Date.parse('2034-01-01T00:00:00Z');
      const found = times(calendar(...event(`DTSTART:${start}Z`, 'DURATION:PT1H', `RRULE:${text}`)), { from: 0, to });
      const own = parseRecurrence(text);
      assert.ok(!('error' in own), text);
      const expected: string[] = [];
      for (const { instant } of occurrences(own, { startWall, zone: 'UTC', limit: 5000 })) {
        if (instant >= to) break;
        expected.push(utc(instant));
      }
      // The first time is included even if it does not match the rule.
      assert.deepEqual(
        found.map((t) => t.slice(0, 16)),
        [...new Set([startWall.slice(0, 16), ...expected])],
      );
    }),
  );
});

test('rules that only other programs write are read too', () => {
  assert.deepEqual(
    times(
      calendar(
        ...event(
          'DTSTART:20260130T100000Z',
          'DURATION:PT1H',
          'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
        ),
      ),
    ).map((t) => t.slice(0, 10)),
    ['2026-01-30', '2026-02-27', '2026-03-31'],
  );
});
