import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { changePartners } from './change-partners.ts';
import { findPartners } from './find-partners.ts';
import { partner, partnerMessage } from './partner.ts';
import { PARTNER_PROBLEMS } from './problems.ts';
import { partnerFeed, partnerMessageFeed } from './feed.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { sweepPartnerMessages } from './sweep.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { partnerRoutes } from './routes.ts';

export const partners: Area = {
  name: 'partners',
  description: 'Doors that ask who can come in, and platforms that book places.',
  namesInPath: [businessInPath(/^\/partners\/(\d{1,15})\//)],
  tables: TABLES,
  translations: readTranslations('partners/refusals'),
  resources: [partner, partnerMessage],
  endpoints: [...findPartners, ...changePartners],
  problems: PARTNER_PROBLEMS,
  feed: [partnerFeed, partnerMessageFeed],
  sweep: sweepPartnerMessages,
};
