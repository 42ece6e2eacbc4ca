import { changeWaivers } from './change-waivers.ts';
import { FEED } from './feed.ts';
import { findWaivers, onWaivers } from './find-waivers.ts';
import { linkToSign, listUnsigned } from './unsigned.ts';
import { waiver, waiverAgreement } from './waiver.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { entranceRules, requirements } from '../../scheduling/schedule/index.ts';
import { asksToSign, sendLinkToSign } from './send-link.ts';
import { SIGNING_REQUESTED } from './notice-types.ts';
import { TABLES } from './tables.ts';
import { waiverAtDoor, waiverRequirement } from './facts.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { readSigningLink, signingLink } from './signing-link.ts';
export { appliesTo, isSigned, readUnsigned, waiverPath, type Unsigned } from './facts.ts';

export const waivers: Area = {
  name: 'waivers',
  description: 'Texts that customers sign before they take part, and their signatures.',
  tables: TABLES,
  translations: readTranslations('waivers/refusals'),
  resources: [waiver, waiverAgreement],
  endpoints: [...findWaivers, ...changeWaivers, listUnsigned, linkToSign, sendLinkToSign],
  notices: [SIGNING_REQUESTED],
  readers: [asksToSign],
  filters: {
    '/memberships': { waivers: onWaivers('membership') },
    '/offering_types': { waivers: onWaivers('offering_type') },
  },
  feed: FEED,
  fills: [requirements.with(waiverRequirement), entranceRules.with(waiverAtDoor)],
};
