import { APPLIES_TO, IF_UNSIGNED, MAX_TEXT, membershipLink, typeLink, waiver, waiverAgreement } from './waiver.ts';
import { boolean, oneOf, ref, refs, text, upload } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { checkDrawing, MAX_DRAWING } from './drawing.ts';
import { create, staffWith } from '../../../kernel/api/endpoint.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { publish, publishChange, sign } from './writes.ts';
import { translations } from '../policies/index.ts';
import { waiverFeed } from './feed.ts';
import { whoSigns } from './find-waivers.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const { fields } = waiver;
const MAX_LINKS = 200;

const first = {
  name: fields.name,
  text: text({ max: MAX_TEXT }).describe('In the language of the business.'),
  translations: translations(MAX_TEXT).optional(),
  at_signup: boolean().optional(),
  offering_types_applies_to: oneOf(APPLIES_TO).optional(),
  offering_types: refs('offering_type', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  memberships_applies_to: oneOf(APPLIES_TO).optional(),
  memberships: refs('membership', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  if_unsigned: oneOf(IF_UNSIGNED).optional(),
  valid_for: fields.valid_for.optional(),
  guardian_under_age: fields.guardian_under_age.optional(),
  signature_image_required: boolean().optional(),
};

interface Links {
  readonly offering_types?: readonly number[];
  readonly memberships?: readonly number[];
}

async function link(work: Work, of: number, { offering_types, memberships }: Links): Promise<void> {
  for (const [{ table, parent, child }, ids] of [
    [typeLink, offering_types],
    [membershipLink, memberships],
  ] as const)
    if (ids) await replaceLinks(work, table, { column: parent, id: of }, { column: child, ids });
}

/** Refuses a list that has no effect, because the waiver applies to all or to none. */
function checkLists(applies: { readonly offering_types: string; readonly memberships: string }, links: Links): void {
  for (const name of ['offering_types', 'memberships'] as const)
    if ((links[name]?.length ?? 0) > 0 && !['only', 'all_except'].includes(applies[name]))
      throw invalid(name, `Set \`${name}_applies_to\` to \`only\` or \`all_except\`, or leave the list empty.`);
}

export const changeWaivers = [
  ...changes(waiver, {
    path: '/waivers',
    noun: 'waiver',
    who: staffWith('super_admin'),
    body: {
      ...first,
      text: first.text.optional(),
      ask_again: boolean()
        .optional()
        .describe('Whether customers who signed an earlier text sign again. If left out, they do.'),
      status: oneOf(['Active', 'Archived']).optional(),
    },
    first,
    create: async ({ work, body: { text: words, translations: given, offering_types, memberships, ...sent } }) => {
      const { offering_types_applies_to = 'none', memberships_applies_to = 'none' } = sent;
      const links = { offering_types, memberships };
      checkLists({ offering_types: offering_types_applies_to, memberships: memberships_applies_to }, links);
      const id = await insertRow(work, 'waiver', sent);
      await link(work, id, links);
      await publish(work, id, 1, { text: words, translations: given });
      work.record(waiverFeed.created, id, { waiver: id });
      return id;
    },
    update: {
      description:
        'Another text makes a new version, and is signed again unless `ask_again` is false. Signatures keep their text. An archived waiver is signed no more.',
      run: async ({ work, body, target }) => {
        const { text: words, translations: given, ask_again, status, offering_types, memberships, ...sent } = body;
        const links = { offering_types, memberships };
        checkLists(
          {
            offering_types: sent.offering_types_applies_to ?? target.offering_types_applies_to,
            memberships: sent.memberships_applies_to ?? target.memberships_applies_to,
          },
          links,
        );
        await updateRow(work, 'waiver', target.id, { ...sent, archived: status && status === 'Archived' });
        await link(work, target.id, links);
        const isNew = await publishChange(work, target.id, { text: words, translations: given, ask_again });
        const changed = changedNames({
          ...sent,
          ...links,
          status,
          ask_again,
          ...(isNew && { text: words, translations: given }),
        });
        if (changed.length > 0) work.record(waiverFeed.updated, target.id, { waiver: target.id, changed });
      },
    },
  }),
  create(waiverAgreement, {
    path: '/waiver_agreements',
    summary: 'Sign a waiver',
    description:
      'Customers sign for themselves, people who manage a family for its children, and staff record a signature that is given at the desk. If a guardian has to sign, `signer_name` is their name.',
    who: whoSigns,
    body: {
      waiver: ref('waiver'),
      customer: ref('customer').optional().describe('Customers who sign for themselves can leave it out.'),
      signature_image: upload({ max: MAX_DRAWING })
        .nullable()
        .optional()
        .describe('The drawn signature: a PNG, in base64 or as a file. Null if the name is enough.'),
      signer_name: text({ max: 300 })
        .optional()
        .describe('The name that the person typed. If left out, the name of the customer or guardian.'),
      language: oneOf(Object.keys(LANGUAGES) as Language[])
        .optional()
        .describe('The language in which the text was read. If left out, that of the business.'),
      version: fields.version
        .optional()
        .describe('The version that was read. If it is no longer current, the signature is refused.'),
    },
    problems: ['conflict', 'unavailable'],
    ahead: (body, _, whose) => checkDrawing(body.signature_image, whose),
    run: async ({ work, body, ip }) => {
      if (body.customer === undefined && work.viewer.customerId === null)
        throw invalid('customer', 'Name the customer who signs, or for whom somebody signs.');
      return sign(work, body, ip);
    },
  }),
];
