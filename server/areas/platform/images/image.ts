import { id, instant, integer, listOf, object, oneOf, uri } from '../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { addressesOf, TYPES, type Stored } from './addresses.ts';

const COLUMNS = ['provider_id', 'key', 'widths', 'width', 'height', 'fallback'] as const;

/** Parses the columns above from their text form. */
function storedOf([provider, key, widths, width, height, fallback]: (string | null)[]): Stored {
  return {
    provider: Number(provider),
    key: key!,
    widths: JSON.parse(widths!) as number[],
    width: Number(width),
    height: Number(height),
    fallback: fallback as Stored['fallback'],
  };
}

const columns = (t: string) => COLUMNS.map((name) => raw(name === 'widths' ? `to_jsonb(${t}.widths)` : `${t}.${name}`));

export const source = {
  type: oneOf(TYPES),
  width: integer({ min: 1 }),
  height: integer({ min: 1 }),
  url: uri(),
};

export const image = resource('image', {
  description: 'A picture that was uploaded, in several sizes and formats. Everyone can see it.',
  fields: {
    id: id(),
    url: uri()
      .computed(columns, (row, { pagesUrl }) => addressesOf(storedOf(row), pagesUrl).url)
      .describe('The largest size, as JPEG or PNG. The address never shows another picture.'),
    original_width: integer({ min: 1 }).describe('In pixels, upright.'),
    original_height: integer({ min: 1 }).describe('In pixels, upright.'),
    sources: listOf(object(source))
      .computed(columns, (row, { pagesUrl }) => addressesOf(storedOf(row), pagesUrl).sources)
      .describe(
        'Every size in every format: AVIF, then WebP, then JPEG or PNG, each from the smallest to the largest.',
      ),
    user: integer({ min: 1 })
      .from((t) => raw(`${t}.user_id`))
      .nullable()
      .deferred()
      .describe('The user who uploaded it. Null for a machine token.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: true, unregistered: true },
  shown: { user: { provider: ['store', 'manage_events'], customer: false, unregistered: false } },
});
