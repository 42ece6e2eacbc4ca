/** A page of the installation, without a business: one card, and the languages. */
import { languageLinks } from './language-links.ts';
import { page, type Shown, type Visit } from '../../../kernel/pages/visit.ts';
import type { FrameKey } from './messages.ts';
import type { Html } from '../../../kernel/base/markup/html.ts';
import type { Written } from './written.ts';

export interface PlainLook {
  readonly status: number;
  /** query to keep when the language changes */
  readonly query: URLSearchParams;
  /** address at which the page can be requested; absent: the requested address */
  readonly path?: string;
}

export const plainPage = (
  visit: Visit,
  { say, reader }: Written<FrameKey>,
  title: string,
  body: Html,
  { status, query, path = visit.path }: PlainLook,
): Shown =>
  page(title, body, {
    status,
    frame: {
      reader,
      head: null,
      foot: languageLinks({ path, query }, { say, reader }),
    },
  });
