import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddingFor } from './embedding.ts';
import { mediaTypeIn } from './media-type.ts';
import { rangeIn } from './byte-range.ts';

test('videos of known hosts can be embedded, and nothing else can', () => {
  for (const [address, player] of [
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ?si=1', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  ])
    assert.ok(embeddingFor(address!)!.html.includes(`src="${player}"`), address);
  for (const other of [
    'https://www.youtube.com/watch?v="><script>',
    'https://youtube.com.example.org/watch?v=dQw4w9WgXcQ',
    'https://vimeo.com/about',
    'https://example.org/video.m3u8',
    'not an address',
  ])
    assert.equal(embeddingFor(other), null, other);
});

const bytes = (text: string) => Buffer.from(text.padEnd(20, '\0'), 'latin1');

test('files are recognized by their first bytes', () => {
  assert.equal(mediaTypeIn(bytes('%PDF-1.7')), 'application/pdf');
  assert.equal(mediaTypeIn(bytes('\0\0\0\x18ftypmp42')), 'video/mp4');
  assert.equal(mediaTypeIn(bytes('ID3\x04')), 'audio/mpeg');
  assert.equal(mediaTypeIn(bytes('\xFF\xFB\x90')), 'audio/mpeg');
  for (const other of ['\0\0\0\x18ftypavif', '\xFF\xD8\xFF\xE0', '<html><script>', 'MZ'])
    assert.equal(mediaTypeIn(bytes(other)), null, other);
  assert.equal(mediaTypeIn(Buffer.from('%PDF-')), null);
});

test('a player gets the range of bytes that it asks for', () => {
  assert.deepEqual(rangeIn('bytes=0-99', 1000), { first: 0, last: 99 });
  assert.deepEqual(rangeIn('bytes=900-', 1000), { first: 900, last: 999 });
  assert.deepEqual(rangeIn('bytes=900-5000', 1000), { first: 900, last: 999 });
  assert.deepEqual(rangeIn('bytes=-100', 1000), { first: 900, last: 999 });
  assert.equal(rangeIn('bytes=1000-', 1000), 'unsatisfiable');
  assert.equal(rangeIn('bytes=5-2', 1000), 'unsatisfiable');
  for (const whole of [undefined, 'bytes=-', 'bytes=0-1,5-6', 'items=0-1']) assert.equal(rangeIn(whole, 1000), null);
});
