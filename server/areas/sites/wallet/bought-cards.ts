/** Pages of the gift cards that a person bought: the state of each, a change of its address, and its code to print. */
import {
  type At,
  type Desk,
  type Business,
  at,
  withDone,
  shownTo,
  accountPage,
  acting,
  memberPage,
  refusedDraft,
  withForm,
} from '../frame/index.ts';
import { giftCardsForSale } from '../../commerce/gift-cards/index.ts';
import { boughtCardPage, boughtCardsPage, printedCardPage } from './views/bought-cards.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { otherAddressFields } from './fields.ts';
import { walletFor, type WalletWritten } from './messages.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const PAGE = 'gift-cards';
/** Cards on one page, latest first. */
const MAX_ROWS = 100;
const FIELDS =
  'id,purchaser,amount,recipient_name,recipient_email,status,delivery_status,delivery_help,deliver_on_date';

const isForSale = async ({ door }: Desk, { site }: At): Promise<boolean> =>
  (await door.db.looking(site.id, (tx) => giftCardsForSale({ tx, providerId: site.id }))) !== null;

export const boughtCardRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...memberPage(desk, {
    path: `/{provider_id}/${PAGE}`,
    texts: walletFor,
    here: accountPage(PAGE),
    show: async (turn) => {
      const { results } = await acting(desk, turn, ({ ask }) =>
        ask('GET /gift_cards', { query: { fields: FIELDS, sort: '-id', page_size: MAX_ROWS } }),
      );
      return boughtCardsPage(turn.visit, turn.written, { cards: results, forSale: await isForSale(desk, turn.visit) });
    },
  }),
  ...memberPage<WalletWritten, Draft>(desk, {
    path: `/{provider_id}/${PAGE}/{card_id}`,
    texts: walletFor,
    here,
    show: async (turn, draft = EMPTY) => {
      const id = idIn(turn.visit.params.card_id);
      const card = await acting(desk, turn, ({ ask }) =>
        ask('GET /gift_cards/{id}', { params: { id }, query: { fields: FIELDS } }),
      );
      return boughtCardPage(turn.visit, turn.written, card, draft);
    },
    forms: {
      '': (turn) =>
        withForm(
          desk,
          turn,
          otherAddressFields(turn.written.say),
          async (body) => {
            const params = { id: turn.visit.params.card_id };
            await acting(desk, turn, ({ ask }) =>
              ask('PATCH /gift_cards/{id}', { params, query: { fields: 'id' }, body }),
            );
            return withDone(here(turn.visit), 'readdressed');
          },
          fieldOf,
        ),
      print: async (turn) => {
        const card = await acting(desk, turn, ({ ask }) =>
          ask('POST /gift_cards/{id}/print', {
            params: { id: turn.visit.params.card_id },
            query: { fields: `${FIELDS},redeem_by,image,code` },
          }),
        );
        return printedCardPage(turn.visit, turn.written, { ...card, code: shownTo(card.code) });
      },
    },
    refused: ({ visit }, error) => refusedDraft(desk, visit, EMPTY, error, fieldOf),
  }),
];

const here = ({ site, params }: At): string => at(site, `${PAGE}/${encodeURIComponent(params.card_id ?? '')}`);

const fieldOf = (property: string): string | null =>
  property === 'recipient_name' || property === 'recipient_email' ? property : null;
