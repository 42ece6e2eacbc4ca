import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import {
  ANYBODY,
  isPersonal,
  resolveWindow,
  type Asker,
  type Audience,
  type Intervals,
  type Timeline,
  type WindowFacts,
} from './window.ts';

const DOC = 'docs/algorithms/registration-window.md';
const START = Date.parse('2026-06-10T18:00Z');
const CREATED = Date.parse('2026-06-01T00:00Z');

const intervalsOf = (text: string): Intervals => {
  const [opens, closes, notice] = text.split('/').map((part) => (part === '-' ? null : Number(part)));
  return { opens, closes, notice };
};

const timelinesOf = (text: string): Timeline[] =>
  text
    .split(';')
    .filter((part) => part.trim())
    .map((part) => {
      const [id, audience, intervals] = part.trim().split(' ');
      return {
        id: Number(id),
        name: null,
        audience: audience as Audience,
        calendarOpens: null,
        ...intervalsOf(intervals),
      };
    });

const askerOf = (text: string): Asker => ({
  staff: text === 'staff',
  named: text.startsWith('named') ? [Number(text.split(':')[1])] : [],
});
const minute = (epochMs: number) => `${new Date(epochMs).toISOString().slice(0, 16)}Z`;

workedTable(DOC, 'Worked windows').forEach((row, i) => {
  test(`window ${i + 1}: ${row.asker} with timelines "${row.timelines}" is decided by ${row['decided by']}`, () => {
    const facts: WindowFacts = {
      startsAt: START,
      createdAt: CREATED,
      calendarOpensAt: null,
      timelines: timelinesOf(row.timelines),
      offeringType: intervalsOf(row['offering type']),
      provider: intervalsOf(row.business),
    };
    const window = resolveWindow(facts, askerOf(row.asker));
    if (row['decided by'] === 'nobody') return assert.equal(window, null);
    assert.equal(String(window!.timeline?.id ?? 'defaults'), row['decided by']);
    assert.deepEqual([window!.opensAt, window!.closesAt, window!.lateCancelsAfter].map(minute), [
      row.opens,
      row.closes,
      row['late from'],
    ]);
  });
});

const minutes = fc.option(fc.integer({ min: 0, max: 60 * 24 * 60 }), { nil: null });
const intervals = fc.record({ opens: minutes, closes: minutes, notice: minutes });
const audience = fc.constantFrom<Audience>(
  'everyone',
  'business_only',
  'membership_holders',
  'specific_memberships',
  'specific_customers',
  'private_url',
);
const timelines = fc
  .array(fc.tuple(intervals, audience, minutes), { maxLength: 5 })
  .map((all): Timeline[] =>
    all.map(([i, a, calendarOpens], n) => ({ ...i, audience: a, calendarOpens, id: n + 1, name: null })),
  );
const startsAt = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
const facts = fc.record({
  startsAt,
  createdAt: fc.constant(CREATED),
  calendarOpensAt: fc.option(startsAt, { nil: null }),
  timelines,
  offeringType: intervals,
  provider: intervals,
});
const asker = fc.record({ staff: fc.boolean(), named: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }) });

test('the earliest opening among the timelines that apply to the person decides, and no other timeline does', () => {
  fc.assert(
    fc.property(facts, asker, (f, who) => {
      const mine = f.timelines.filter(
        (t) =>
          who.staff || t.audience === 'everyone' || (t.audience === 'specific_customers' && who.named.includes(t.id)),
      );
      const window = resolveWindow(f, who);
      if (f.timelines.length > 0 && mine.length === 0) return assert.equal(window, null);
      if (f.timelines.length === 0) return assert.equal(window!.timeline, null);
      assert.ok(mine.some((t) => t.id === window!.timeline!.id));
      assert.equal(
        window!.opensAt,
        Math.min(...mine.map((t) => resolveWindow({ ...f, timelines: [t] }, who)!.opensAt)),
      );
    }),
  );
});

test('if no timeline is limited to some customers, every customer has the same window as anybody', () => {
  const seen = { personal: 0, common: 0 };
  fc.assert(
    fc.property(facts, asker, (f, who) => {
      seen[isPersonal(f) ? 'personal' : 'common']++;
      if (isPersonal(f)) return;
      const customer = { ...who, staff: false, memberships: [1, 2, 3] };
      assert.deepEqual(resolveWindow(f, customer), resolveWindow(f, ANYBODY));
    }),
  );
  assert.ok(seen.personal > 0 && seen.common > 0, JSON.stringify(seen));
});

test('additional timelines never narrow the window of a customer', () => {
  fc.assert(
    fc.property(facts, asker, (f, who) => {
      const fewer = resolveWindow({ ...f, timelines: f.timelines.slice(0, -1) }, who);
      if (f.timelines.length < 2 || fewer === null) return;
      const more = resolveWindow(f, who)!;
      assert.ok(more.opensAt <= fewer.opensAt);
      assert.ok(more.calendarOpensAt <= fewer.calendarOpensAt);
    }),
  );
});

test('the order in which timelines are stored does not matter', () => {
  fc.assert(
    fc.property(facts, asker, (f, who) =>
      assert.deepEqual(resolveWindow({ ...f, timelines: f.timelines.toReversed() }, who), resolveWindow(f, who)),
    ),
  );
});

test('booking never closes after the start, and the event’s own calendar time overrides others', () => {
  fc.assert(
    fc.property(facts, (f) => {
      const window = resolveWindow(f, ANYBODY);
      if (!window) return;
      assert.ok(window.closesAt <= f.startsAt && window.lateCancelsAfter <= f.startsAt);
      if (f.calendarOpensAt !== null) assert.equal(window.calendarOpensAt, f.calendarOpensAt);
    }),
  );
});

test('intervals are real minutes across clock changes', () => {
  const day = { opens: 1440, closes: 120, notice: 0 };
  const none = { opens: null, closes: null, notice: null };
  const at = (start: string, zone: string) => {
    const w = resolveWindow(
      {
        startsAt: Date.parse(start),
        createdAt: CREATED,
        calendarOpensAt: null,
        timelines: [],
        offeringType: none,
        provider: day,
      },
      ANYBODY,
    )!;
    return [formatInstant(w.opensAt, zone), formatInstant(w.closesAt, zone)];
  };
  assert.deepEqual(at('2026-03-08T04:00:00-04:00', 'America/Toronto'), [
    '2026-03-07T03:00:00-05:00',
    '2026-03-08T01:00:00-05:00',
  ]);
  assert.deepEqual(at('2026-10-25T02:00:00+00:00', 'Europe/London'), [
    '2026-10-24T03:00:00+01:00',
    '2026-10-25T01:00:00+01:00',
  ]);
  assert.deepEqual(at('2026-04-05T03:00:00+10:30', 'Australia/Lord_Howe'), [
    '2026-04-04T03:30:00+11:00',
    '2026-04-05T01:30:00+11:00',
  ]);
});
