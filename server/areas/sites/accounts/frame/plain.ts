/** A page of the installation, of no business: one card, and the languages that it can be read in. */
import { languageLinks } from './language-links.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import type { FrameKey } from './messages.ts';
import type { Html } from '../../../../kernel/base/markup/html.ts';
import type { Written } from './written.ts';

export interface PlainLook {
  readonly status: number;
  /** of the address, to go along to another language */
  readonly query: URLSearchParams;
  /** where it can be asked for again; absent: the address that was asked for */
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
