import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, nothing, type Endpoint } from './endpoint.ts';
import { id } from '../base/fields/kinds.ts';
import { defineProblems, Problem, type Refusable } from '../base/problem.ts';
import { COMMON_FIELDS, type NoticeType } from '../work/unit/notices.ts';
import { Registry } from './registry.ts';
import type { Area } from './area.ts';

const { closed, late } = defineProblems({
  closed: { status: 409, type: 'conflict', means: 'It is closed.' },
  late: { status: 409, type: 'conflict', means: 'It is too late.' },
});

const area = (name: string, more: Partial<Area> = {}): Area => ({ name, description: 'An area.', ...more });

const operation = (path: string, ...problems: Refusable[]): Endpoint =>
  action({
    path,
    summary: 'Act',
    who: { provider: true, customer: false, unregistered: false },
    returns: nothing,
    problems,
    run: async () => {},
  });

/** Returns the error that keeps these areas from booting. */
const against = (...areas: Area[]): string => {
  try {
    return new Registry(areas).areas.length === areas.length ? 'nothing' : 'areas are missing';
  } catch (error) {
    return (error as Error).message;
  }
};

test('an area refuses with general kinds, its own, or those of an earlier area', () => {
  const first = area('first', { problems: { closed }, endpoints: [operation('/a', 'conflict', closed)] });
  const second = area('second', { endpoints: [operation('/b', closed)] });
  assert.equal(against(first, second), 'nothing');
  assert.equal(
    against(second, first),
    'POST /b refuses with "closed", which neither second nor an area before it declares',
  );
  assert.equal(
    against(area('third', { constraints: { row_key: () => new Problem(late, 'Too late.') } })),
    'The constraint row_key refuses with "late", which neither third nor an area before it declares',
  );
});

test('the code of a refusal belongs to one kind', () => {
  const copy = defineProblems({ closed: { status: 400, type: 'conflict', means: 'Another one.' } });
  assert.equal(
    against(area('first', { problems: { closed } }), area('second', { problems: copy })),
    'two declarations of the problem "closed"',
  );
  const general = defineProblems({ not_found: { status: 404, type: 'conflict', means: 'Gone.' } });
  assert.equal(against(area('first', { problems: general })), 'two declarations of the problem "not_found"');
});

test('a consequence is previewed of a feed item that an area declares', () => {
  const consequences = [{ of: 'door.opened', previewEffects: async () => {} }];
  assert.equal(
    against(area('first', { consequences })),
    'a consequence is previewed of the unknown feed item "door.opened"',
  );
});

const notice = (number: number, type: string, subject = 'Hello'): NoticeType => ({
  number,
  type,
  description: 'A notice.',
  email: true,
  sms: false,
  optional: true,
  fields: COMMON_FIELDS,
  subject,
  body: '',
  smsBody: '',
});

test('a notice has a unique name and number, and uses only fields that it has', () => {
  const first = area('first', { notices: [notice(2, 'opened'), notice(1, 'closed')] });
  assert.deepEqual([...new Registry([first]).notices.keys()], ['closed', 'opened']);
  assert.equal(
    against(first, area('second', { notices: [notice(3, 'closed')] })),
    'two declarations of the notice "closed"',
  );
  assert.equal(
    against(first, area('second', { notices: [notice(1, 'locked')] })),
    'two declarations of the number of a notice "1"',
  );
  assert.equal(
    against(first, area('second', { staffNotices: [{ type: 'opened' }] })),
    'two declarations of the notice "opened"',
  );
  assert.match(
    against(area('third', { notices: [notice(1, 'lost', '{{event.name}}')] })),
    /^the notice lost can't be rendered/,
  );
});

const nobody = async () => {};

test('exactly one area sends the notices of all', () => {
  const notifier = {
    notify: async () => [],
    previewEffects: async () => {},
    withdraw: nobody,
    stopped: async () => null,
    notifyStaff: nobody,
    notifySuperAdmins: nobody,
  };
  const post = area('post', { notifier });
  assert.equal(new Registry([post]).notifier, notifier);
  assert.equal(against(post, area('mail', { notifier })), 'post and mail both send notices');
  assert.throws(() => new Registry([]).notifier, /no area sends notices/);
});

test('a required permission is one that an area declares', () => {
  const guarded: Endpoint = {
    ...operation('/a'),
    who: { provider: ['open_doors'], customer: false, unregistered: false },
  };
  const doors = area('doors', { endpoints: [guarded] });
  assert.equal(against(doors), 'POST /a asks for the unknown permission "open_doors"');
  const keys = area('keys', { permissions: [{ permission: 'open_doors', means: 'open doors' }] });
  assert.equal(against(doors, keys), 'nothing');
  assert.equal(against(keys, { ...keys, name: 'locks' }), 'two declarations of the permission "open_doors"');
});

test('an area adds its own refusals to operations of earlier areas', () => {
  const first = area('first', { endpoints: [operation('/a', 'conflict')] });
  const second = area('second', { problems: { late }, refuses: { 'POST /a': [late] } });
  const [endpoint] = new Registry([first, second]).endpoints;
  assert.deepEqual(endpoint.problems, ['conflict', late]);
  assert.equal(against(second, first), 'second refuses POST /a, which no area before it has');
  assert.equal(
    against(first, area('second', { refuses: { 'POST /a': [closed] } })),
    'second refuses POST /a with "closed", which it does not declare',
  );
});

test("an area adds properties to inputs of earlier areas' operations, each once", () => {
  const first = area('first', { endpoints: [operation('/a')] });
  const taking = (name: string, operation: string) => area(name, { inputs: { [operation]: { wanted: id() } } });
  const [endpoint] = new Registry([first, taking('second', 'POST /a')]).endpoints;
  assert.deepEqual(Object.keys(endpoint.body ?? {}), ['wanted']);
  assert.equal(against(first, taking('second', 'POST /b')), 'no operation is called "POST /b"');
  assert.equal(
    against(first, taking('second', 'POST /a'), taking('third', 'POST /a')),
    'two declarations of the body of /a "wanted"',
  );
});
