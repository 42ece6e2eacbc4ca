/** Links to the same page in each language. */
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { inLanguage, type Written } from './written.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import type { FrameKey } from './messages.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

/** Renders the links. `here`: address of the page itself, to which other languages are added. */
export function languageLinks(here: Pick<Visit, 'path' | 'query'>, { say, reader }: Written<FrameKey>): Html {
  const chosen = Object.entries(LANGUAGES) as [Language, string][];
  return html`<nav class="languages" aria-label="${say('language')}"><ul>${chosen.map(
    ([language, name]) =>
      html`<li><a href="${inLanguage(here, language)}" hreflang="${language}" lang="${language}"${
        language === reader.language ? html` aria-current="true"` : null
      }>${name}</a></li>`,
  )}</ul></nav>`;
}
