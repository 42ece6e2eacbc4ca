/** Messages of the business to a person: their preferences, and the messages that they received. */
import {
  type Desk,
  type Business,
  at,
  isNoticeKey,
  withDone,
  type Ask,
  accountPage,
  acting,
  memberPage,
  reading,
  type Asker,
  writtenFor,
} from '../frame/index.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { devicesOf } from './devices.ts';
import { lettersPage, messagePage, type LettersView, type NoticeChoice } from './views/letters.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { seeOther } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'profile/messages';
const LATEST = 20;
/** More than there are kinds of notices. */
const MAX_KINDS = 100;
/** Statuses of messages that were or will be handed over; a message that was not sent is not shown. */
const SENT = 'queued,sending,sent,kept,delivered';
const NEWS = ['is_opted_into_broadcast_messages', 'is_opted_into_sms_marketing'] as const;

export const letterRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...memberPage(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: writtenFor,
    here: accountPage(PAGE),
    show: async (turn) => {
      const view = await reading(desk, turn, async ({ ask, people }) => people && read(ask, people[0].id));
      return view ? lettersPage(turn.visit, view) : seeOther(at(turn.visit.site, 'profile'));
    },
    forms: { '': (turn) => change(desk, turn) },
  }),
  ...memberPage(desk, {
    path: `/{provider_id}/${PAGE}/{message_id}`,
    texts: writtenFor,
    here: ({ path }) => path,
    show: async (turn) => {
      const id = idIn(turn.visit.params.message_id);
      const message = await reading(
        desk,
        turn,
        async ({ ask, people }) =>
          people &&
          ask('GET /messages/{id}', {
            params: { id },
            query: { fields: 'subject,channel,queued_at,body.text', expand: 'body' },
          }),
      );
      if (!message) throw notFound();
      const { subject, channel, queued_at: queued, body } = message;
      return messagePage(turn.visit, { subject, channel, at: Date.parse(queued), text: body.text });
    },
  }),
];

/** Returns the notices that the business sends and the customer may switch off. */
async function choicesOf(ask: Ask, customer: number): Promise<NoticeChoice[]> {
  const { results } = await ask('GET /customers/{id}/notification_preferences', {
    params: { id: customer },
    query: { page_size: MAX_KINDS },
  });
  return results.flatMap((one): NoticeChoice[] => {
    const key = `notice.${one.type}`;
    const channels = (['email', 'sms'] as const).filter((way) => one.capabilities[way] && one.toggleability[way]);
    return channels.length === 0 || !isNoticeKey(key)
      ? []
      : [{ id: one.id, key, channels, on: { email: one.email_enabled, sms: one.sms_enabled } }];
  });
}

async function read(ask: Ask, customer: number): Promise<LettersView> {
  const [{ results: messages }, person, choices, push] = [
    await ask('GET /customers/{id}/messages', {
      params: { id: customer },
      query: { status: SENT, fields: 'id,subject,channel,queued_at', page_size: LATEST },
    }),
    await ask('GET /customers/{id}', { params: { id: customer }, query: { fields: `${NEWS[0]},${NEWS[1]}` } }),
    await choicesOf(ask, customer),
    await devicesOf(ask),
  ];
  return {
    push,
    news: { email: person[NEWS[0]] === true, sms: person[NEWS[1]] === true },
    choices,
    messages: messages.map((one) => ({
      id: one.id,
      subject: one.subject,
      channel: one.channel,
      at: Date.parse(one.queued_at),
    })),
  };
}

/** Saves the boxes of the form; a preference that was not on the form is unchanged. */
async function change(desk: Desk, turn: Asker): Promise<string> {
  const { sent, site } = turn.visit;
  const ticked = (name: string): boolean => sent.get(name) === 'on';
  await acting(desk, turn, async ({ ask, people }) => {
    if (!people) throw notFound();
    const [{ id }] = people;
    if (sent.has('news')) {
      const body = { [NEWS[0]]: ticked('email'), [NEWS[1]]: ticked('sms') };
      await ask('PATCH /customers/{id}', { params: { id }, query: { fields: 'id' }, body });
      return;
    }
    for (const { id: kind, channels, on } of await choicesOf(ask, id)) {
      if (!sent.has(`kind-${kind}`)) continue;
      const body = Object.fromEntries(
        channels.filter((way) => ticked(`${way}-${kind}`) !== on[way]).map((way) => [`${way}_enabled`, !on[way]]),
      );
      if (Object.keys(body).length === 0) continue;
      const params = { id, notification_preference_id: String(kind) };
      await ask('PATCH /customers/{id}/notification_preferences/{notification_preference_id}', { params, body });
    }
  });
  return withDone(at(site, PAGE), 'wishes');
}
