import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope } from './exchange.ts';

const at = (url: string, page: number, count = 1000) => {
  const { next, previous } = envelope({ url, baseUrl: 'http://here' }, { page, page_size: 50 }, count, []);
  return { next, previous };
};

test('the URLs of the pages around one replace its page and keep every other parameter', () => {
  assert.deepEqual(at('/x&page=0?a=1%2C2&last_page=0&page=12&page=3&b=%26page%3D0', 12), {
    next: 'http://here/x&page=0?a=1%2C2&last_page=0&page=13&b=%26page%3D0',
    previous: 'http://here/x&page=0?a=1%2C2&last_page=0&page=11&b=%26page%3D0',
  });
  assert.deepEqual(at('/x', 1), { next: 'http://here/x?page=2', previous: null });
  assert.deepEqual(at('/x?page=20', 20), { next: null, previous: 'http://here/x?page=19' });
  assert.deepEqual(at('/x?page=1', 1, 50), { next: null, previous: null });
});
