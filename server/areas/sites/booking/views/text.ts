/** Texts that a business wrote, as it wrote them: paragraphs between empty lines. */
import { html, type Html } from '../../../../kernel/api/html.ts';

export const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((part) => html`<p class="own">${part}</p>`);
